# An image that holds the static program and nothing else: make static, then docker build -t sanqi .
# docker run --rm -i sanqi gtp
FROM scratch
COPY sanqi-static /sanqi
ENTRYPOINT ["/sanqi"]
