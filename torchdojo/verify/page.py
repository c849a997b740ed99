"""placeholder"""
def page(reports, seconds): return ""
