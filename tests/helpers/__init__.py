"""What tests of several packages use: pages with and without a browser, servers, notebooks, random states, messages."""
