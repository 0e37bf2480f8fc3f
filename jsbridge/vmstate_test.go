package jsbridge

import "testing"

func TestEngineFits(t *testing.T) {
	if err := engineFits(); err != nil {
		t.Fatal(err)
	}
}
