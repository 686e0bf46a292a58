//! Kernels for several instruction sets, chosen at run time.

/// Declares the instruction sets of a family of kernels, slowest first: name, module, and whether this
/// processor has it. Makes `Kernel`, and a macro `call!` that calls a function of the kernel's module.
///
/// A `Kernel` exists only where the processor can run it, so calling one is safe; the choice costs one
/// predicted branch.
macro_rules! kernels {
    ($d:tt $($(#[$attribute:meta])* $set:ident = $name:literal in $($module:ident)::+ if $detected:expr;)+) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Set {
            $($(#[$attribute])* $set,)+
        }

        /// An instruction set that this processor has.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Kernel(Set);

        impl Kernel {
            /// Plain Rust: the definition of what the others compute.
            pub const SCALAR: Self = Self(Set::Scalar);

            pub fn best() -> Self {
                Self::available().pop().unwrap_or(Self::SCALAR)
            }

            /// All that run here, slowest first.
            pub fn available() -> Vec<Self> {
                let mut found = Vec::new();
                $($(#[$attribute])* if $detected { found.push(Self(Set::$set)); })+
                found
            }

            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($(#[$attribute])* Set::$set => $name,)+
                }
            }
        }

        macro_rules! call {
            ($d kernel:expr, $d function:ident($d($d argument:expr),* $d(,)?)) => {{
                #[allow(unused_unsafe)]
                match $d kernel.0 {
                    // SAFETY: the kernel exists, so the processor has its instructions. The caller checks the
                    // arguments.
                    $($(#[$attribute])* Set::$set => unsafe { $($module)::+::$d function($d($d argument),*) },)+
                }
            }};
        }
    };
}

pub(crate) use kernels;
