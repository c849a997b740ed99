def text(book): return "<!doctype html>"
FILE="report.html"
