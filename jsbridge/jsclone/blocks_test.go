package jsclone

import "testing"

// The version of goja and of Go that this module is built with must be known;
// objects made by goja itself would do, but slowly.
func TestBlocks(t *testing.T) {
	l, err := theLayout()
	if err != nil {
		t.Fatal(err)
	}
	if knownMaps && !l.blocks {
		t.Errorf("objects are made in pieces: %v", l.blocksErr)
	}
}
