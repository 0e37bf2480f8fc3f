package jsbridge

import "testing"

func TestEngineFits(t *testing.T) {
	if err := engineFits(); err != nil {
		t.Fatal(err)
	}
}

func TestPromisesFit(t *testing.T) {
	if err := promisesFit(); err != nil {
		t.Error(err)
	}
}
