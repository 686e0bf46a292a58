// What the commands of the page say to a game: nested objects, and a copy of everything for each edit.

/** Numbers from 0 up to a limit, the same each time. */
export const randomly = seed => below => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor(seed / 2 ** 32 * below)
}

const leaf = mv => ({mv, comment: '', sign: '', marks: [], children: []})

/** A game and a place in it. */
export class Model {
  constructor() { Object.assign(this, {root: leaf(null), path: [], past: [], future: []}) }

  get at() { return this.path.reduce((node, i) => node.children[i], this.root) }
  copy() { return structuredClone({root: this.root, path: this.path}) }
  edit() { this.past.push(this.copy()); this.future = [] }
  play(mv) {
    const {children} = this.at
    let i = children.findIndex(child => child.mv === mv)
    if (i < 0) {
      this.edit()
      i = children.push(leaf(mv)) - 1
    }
    this.path.push(i)
  }
  comment(text) { this.edit(); this.at.comment = text }
  sign(text) { this.edit(); this.at.sign = text }
  draw({from, to, pen}) {
    this.edit()
    const {at} = this, mark = `${from}${to === from ? '' : to}`, isThere = at.marks.includes(`${pen} ${mark}`)
    at.marks = at.marks.filter(one => !one.endsWith(` ${mark}`))
    if (!isThere) at.marks.push(`${pen} ${mark}`)
  }
  wipe() { if (this.at.marks.length) { this.edit(); this.at.marks = [] } }
  promote() {
    this.edit()
    let node = this.root
    this.path = this.path.map(i => {
      node.children.unshift(...node.children.splice(i, 1))
      node = node.children[0]
      return 0
    })
  }
  remove() {
    if (!this.path.length) return
    this.edit()
    const i = this.path.pop()
    this.at.children.splice(i, 1)
  }
  step(from, to) {
    if (!from.length) return
    to.push(this.copy())
    Object.assign(this, from.pop())
  }
  undo() { this.step(this.past, this.future) }
  redo() { this.step(this.future, this.past) }
  go(path) { this.path = path }

  /** A way to a node. */
  anywhere(random) {
    const path = []
    for (let node = this.root; node.children.length && random(5); node = node.children[path.at(-1)]) path.push(random(node.children.length))
    return path
  }
}

/** A node and all behind it, to be compared. */
export const said = node => ({mv: node.mv, comment: node.comment, sign: node.sign, marks: [...node.marks].sort(), children: node.children.map(said)})
