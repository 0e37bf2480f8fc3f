package jsbridge

import "testing"

func TestEngineFits(t *testing.T) {
	if err := engineFits(); err != nil {
		t.Fatal(err)
	}
}

// TestPromises tries out everything of which promisesFit tries a little when a
// process starts.
func TestPromises(t *testing.T) {
	if err := promisesFit(); err != nil {
		t.Error(err)
	}
	if err := comparePromises(); err != nil {
		t.Error(err)
	}
}
