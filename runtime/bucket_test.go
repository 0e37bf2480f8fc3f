package runtime_test

import (
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// startBucket starts a server that speaks as much of the S3 protocol as the
// cluster mode of the real runtime needs of its bucket: objects with conditional
// writes, and lists by prefix
// (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html).
// It returns its URL. Signatures are not looked at.
func startBucket(t *testing.T) string {
	b := &bucket{objects: map[string][]byte{}}
	s := httptest.NewServer(b)
	t.Cleanup(s.Close)
	return s.URL
}

type bucket struct {
	mu      sync.Mutex
	objects map[string][]byte // by path, with the bucket's name
}

func etag(data []byte) string { return fmt.Sprintf(`"%08x-%d"`, crc32.ChecksumIEEE(data), len(data)) }

func (b *bucket) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	data, err := io.ReadAll(req.Body)
	if err != nil {
		return // the client is gone
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	path := req.URL.Path
	old, exists := b.objects[path]
	fail := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
	}
	switch {
	case req.Method == http.MethodGet && req.URL.Query().Get("list-type") == "2":
		b.list(w, strings.TrimSuffix(path, "/")+"/", req.URL.Query().Get("prefix"))
	case req.Method == http.MethodPut:
		match := req.Header.Get("If-Match")
		switch {
		case req.Header.Get("If-None-Match") == "*" && exists, match != "" && exists && match != etag(old):
			fail(http.StatusPreconditionFailed, "PreconditionFailed")
			return
		case match != "" && !exists:
			fail(http.StatusNotFound, "NoSuchKey")
			return
		}
		b.objects[path] = data
		w.Header().Set("ETag", etag(data))
	case req.Method == http.MethodDelete:
		delete(b.objects, path)
		w.WriteHeader(http.StatusNoContent)
	case !exists:
		fail(http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", etag(old))
		w.Header().Set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
		w.Header().Set("Content-Length", fmt.Sprint(len(old)))
		if req.Method == http.MethodGet {
			_, _ = w.Write(old)
		}
	}
}

// list answers a list of the objects of a prefix, all on one page.
func (b *bucket) list(w http.ResponseWriter, root, prefix string) {
	type object struct {
		Key, LastModified, ETag string
		Size                    int
	}
	answer := struct {
		XMLName     xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
		IsTruncated bool
		Contents    []object
	}{}
	for path, data := range b.objects {
		if key, ok := strings.CutPrefix(path, root); ok && strings.HasPrefix(key, prefix) {
			answer.Contents = append(answer.Contents, object{key, "2026-01-01T00:00:00.000Z", etag(data), len(data)})
		}
	}
	slices.SortFunc(answer.Contents, func(a, b object) int { return strings.Compare(a.Key, b.Key) })
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(answer)
}
