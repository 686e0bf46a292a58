# An image that holds the static program and the licenses of what is in it, made by make image.
# docker run --rm -i sanqi gtp
FROM scratch
COPY sanqi-static /sanqi
COPY LICENSE-MIT LICENSE-APACHE target/THIRD-PARTY.txt /licenses/
ENTRYPOINT ["/sanqi"]
