"""What is done with whole collections: the commands that write or read a catalogue, and mail written anew."""
