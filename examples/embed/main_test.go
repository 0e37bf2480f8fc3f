package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
)

const want = `apple: 100
pear: 100
the object said no: RangeError: quantity must be a whole number, not -1
`

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"../inventory"}, &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}

func TestListen(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-listen", "127.0.0.1:0", "../inventory"}, w)
		_ = w.CloseWithError(err)
		ended <- err
	}()
	var url string
	for lines := bufio.NewScanner(r); url == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "http://") {
			url = strings.TrimSuffix(lines.Text(), "/api/")
		}
	}
	if url == "" {
		t.Fatalf("no address printed: %v", <-ended)
	}
	for path, want := range map[string]string{"/api/": `{"apple":100,"pear":100}`, "/healthz": "ok\n"} {
		res, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil || string(body) != want {
			t.Errorf("%s: %q, %v; want %q", path, body, err, want)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	if err := run(t.Context(), nil, io.Discard); err == nil {
		t.Error("no project: no error")
	}
	if err := run(t.Context(), []string{"nowhere"}, io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("project that does not exist: %v", err)
	}
}
