"""What every test shares."""

from hypothesis import settings

# The first example of a property may pay for an import; a law is no matter of milliseconds.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")
