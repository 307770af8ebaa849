"""A local web server that shows the site and follows every edit."""
