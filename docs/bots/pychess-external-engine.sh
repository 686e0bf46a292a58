#!/bin/sh
# Sanqi as the engine of your account's analyses on pychess.org. The file token holds your token, and nothing else.
exec pychess-external-engine --engine sanqi --token-file token --max-threads 2 --max-hash 512 "$@"
