@"%~dp0sanqi.exe" --game xiangqi %*
