package webapi_test

import (
	"testing"
	"time"

	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// stored puts a response with the headers (name, value, ...) into a new cache.
func stored(status int, headers ...string) (c *webapi.MemoryCache, now *time.Time) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c = webapi.NewMemoryCache(func() time.Time { return at }, 100)
	res := &httpmsg.Response{Status: status, Body: httpmsg.BytesBody([]byte("body"))}
	for i := 0; i < len(headers); i += 2 {
		res.Header.Add(headers[i], headers[i+1])
	}
	c.Put("", "http://x/", res)
	return c, &at
}

func TestMemoryCacheFreshness(t *testing.T) {
	for _, tc := range []struct {
		status  int
		headers []string
		fresh   time.Duration
	}{
		{200, nil, 2 * time.Hour},
		{404, nil, 3 * time.Minute},
		{500, nil, 0},
		{500, []string{"Cache-Control", "max-age=5"}, 5 * time.Second},
		{200, []string{"Cache-Control", "max-age=5, s-maxage=9"}, 9 * time.Second},
		{200, []string{"Cache-Control", "max-age=0"}, 0},
		{200, []string{"Cache-Control", "no-store"}, 0},
		{200, []string{"Cache-Control", "max-age=5, no-cache"}, 0},
		{200, []string{"Cache-Control", "private, max-age=5"}, 0},
		{200, []string{"Set-Cookie", "a=b", "Cache-Control", "max-age=5"}, 0},
		{200, []string{"Set-Cookie", "a=b", "Cache-Control", "private=Set-Cookie, max-age=5"}, 5 * time.Second},
		{200, []string{"Expires", "Sun, 01 Nov 2026 00:00:07 GMT"}, 7 * time.Second},
		{200, []string{"Expires", "0"}, 0},
		{200, []string{"Expires", "Sun, 01 Nov 2026 00:00:07 GMT", "Cache-Control", "max-age=3"}, 3 * time.Second},
	} {
		c, now := stored(tc.status, tc.headers...)
		if tc.fresh > 0 {
			*now = now.Add(tc.fresh - time.Second)
			res := c.Match("", "http://x/", nil)
			if res == nil {
				t.Errorf("%d %q: gone before %v", tc.status, tc.headers, tc.fresh)
				continue
			}
			if res.Header.Has("Set-Cookie") {
				t.Errorf("%q: the cookie was stored", tc.headers)
			}
			*now = now.Add(time.Second)
		}
		if c.Match("", "http://x/", nil) != nil {
			t.Errorf("%d %q: still there after %v", tc.status, tc.headers, tc.fresh)
		}
	}
}

func TestMemoryCacheConditions(t *testing.T) {
	for _, tc := range []struct {
		name, value string
		status      int
	}{
		{"If-None-Match", `"a"`, 304}, {"If-None-Match", `"b", W/"a"`, 304}, {"If-None-Match", "*", 304}, {"If-None-Match", `"b"`, 200},
		{"If-Modified-Since", "Fri, 30 Oct 2026 00:00:00 GMT", 304}, {"If-Modified-Since", "Wed, 28 Oct 2026 00:00:00 GMT", 200},
	} {
		c, now := stored(200, "ETag", `"a"`, "Last-Modified", "Thu, 29 Oct 2026 00:00:00 GMT")
		*now = now.Add(3 * time.Second)
		res := c.Match("", "http://x/", httpmsg.Header{{Name: tc.name, Value: tc.value}})
		if res == nil || res.Status != tc.status || res.Body.IsNone() != (tc.status == 304) {
			t.Errorf("%s: %s gives %+v, want status %d", tc.name, tc.value, res, tc.status)
			continue
		}
		if age, _ := res.Header.Get("Age"); age != "3" {
			t.Errorf("age %s, want 3", age)
		}
	}
}

func TestMemoryCacheMakesRoom(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c := webapi.NewMemoryCache(func() time.Time { return now }, 10)
	put := func(url string, n int) {
		c.Put("", url, &httpmsg.Response{Status: 200, Body: httpmsg.BytesBody(make([]byte, n))})
	}
	put("a", 4)
	put("b", 4)
	c.Match("", "a", nil)
	put("c", 4)
	put("d", 11)
	for url, want := range map[string]bool{"a": true, "b": false, "c": true, "d": false} {
		if got := c.Match("", url, nil) != nil; got != want {
			t.Errorf("%s there: %v, want %v", url, got, want)
		}
	}
	if c.Match("other", "a", nil) != nil || !c.Delete("", "a") || c.Delete("", "a") {
		t.Error("caches are apart, and a response can be deleted once")
	}
}
