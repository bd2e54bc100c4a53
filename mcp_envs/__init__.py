"""What an environment is on disk, when two states are equal, and how generated code is contained.

Imported by the gym, the generator and the trainer; imports none of them.
"""
