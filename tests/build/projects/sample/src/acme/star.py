from acme.hooks import *
