package webapi

import (
	"container/list"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/durashim/durashim/internal/httpmsg"
)

// MemoryCache is a [CacheStore] in memory. It follows the rules that Cloudflare
// gives for its cache (https://developers.cloudflare.com/workers/runtime-apis/cache/):
// s-maxage, max-age and Expires say how long a response is fresh; no-store,
// no-cache, private and Set-Cookie keep it out; Vary is not looked at. A
// response that says nothing stays as long as its status suggests. It is safe
// for use by several goroutines.
type MemoryCache struct {
	now   func() time.Time
	limit int64 // of the bytes in all bodies

	mu      sync.Mutex
	entries map[cacheKey]*list.Element
	order   *list.List // of *cacheEntry, the most recently used first
	size    int64
}

type cacheKey struct{ cache, url string }

type cacheEntry struct {
	key             cacheKey
	res             *httpmsg.Response
	stored, expires time.Time
}

var _ CacheStore = (*MemoryCache)(nil)

// NewMemoryCache makes a cache for bodies of limit bytes in all; what was not
// used for the longest time makes room. now is the clock that responses age by.
func NewMemoryCache(now func() time.Time, limit int64) *MemoryCache {
	return &MemoryCache{now: now, limit: limit, entries: make(map[cacheKey]*list.Element), order: list.New()}
}

// Match implements [CacheStore]. The response says how old it is, and is a 304
// if the request's conditions allow that.
func (c *MemoryCache) Match(cache, url string, header httpmsg.Header) *httpmsg.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.entries[cacheKey{cache, url}]
	if el == nil {
		return nil
	}
	e := el.Value.(*cacheEntry)
	now := c.now()
	if !now.Before(e.expires) {
		c.remove(el)
		return nil
	}
	c.order.MoveToFront(el)
	res := e.res.Clone()
	res.Header.Set("Age", strconv.FormatInt(int64(now.Sub(e.stored)/time.Second), 10))
	res.Header.Set("CF-Cache-Status", "HIT")
	if notModified(header, res.Header) {
		res.Status, res.StatusText, res.Body = http.StatusNotModified, "", httpmsg.NoBody()
	}
	return res
}

// Put implements [CacheStore].
func (c *MemoryCache) Put(cache, url string, res *httpmsg.Response) {
	age, ok := freshness(res, c.now())
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{cache, url}
	if el := c.entries[key]; el != nil {
		c.remove(el)
	}
	n := max(res.Body.Length(), 0)
	if !ok || age <= 0 || n > c.limit {
		return
	}
	now := c.now()
	c.entries[key] = c.order.PushFront(&cacheEntry{key: key, res: res, stored: now, expires: now.Add(age)})
	for c.size += n; c.size > c.limit; {
		c.remove(c.order.Back())
	}
}

// Delete implements [CacheStore].
func (c *MemoryCache) Delete(cache, url string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.entries[cacheKey{cache, url}]
	if el == nil {
		return false
	}
	c.remove(el)
	return c.now().Before(el.Value.(*cacheEntry).expires)
}

func (c *MemoryCache) remove(el *list.Element) {
	e := el.Value.(*cacheEntry)
	c.order.Remove(el)
	delete(c.entries, e.key)
	c.size -= max(e.res.Body.Length(), 0)
}

// freshness says how long a response may be kept; ok is false if not at all.
func freshness(res *httpmsg.Response, now time.Time) (age time.Duration, ok bool) {
	seconds := func(v string) (time.Duration, bool) {
		n, err := strconv.ParseUint(strings.Trim(v, `"`), 10, 31)
		return time.Duration(n) * time.Second, err == nil
	}
	var shared, private *time.Duration
	cookie := res.Header.Has("Set-Cookie")
	for _, line := range res.Header.Values("Cache-Control") {
		for _, d := range strings.Split(line, ",") {
			name, value, has := strings.Cut(strings.TrimSpace(d), "=")
			switch strings.ToLower(name) {
			case "no-store", "no-cache":
				return 0, false
			case "private":
				if !has {
					return 0, false
				}
				// private=Set-Cookie keeps only that field out.
				if strings.EqualFold(strings.Trim(value, `"`), "Set-Cookie") {
					res.Header.Del("Set-Cookie")
					cookie = false
				}
			case "s-maxage":
				if n, ok := seconds(value); ok {
					shared = &n
				}
			case "max-age":
				if n, ok := seconds(value); ok {
					private = &n
				}
			}
		}
	}
	switch {
	case cookie:
		return 0, false
	case shared != nil:
		return *shared, true
	case private != nil:
		return *private, true
	}
	if v, has := res.Header.Get("Expires"); has {
		t, err := http.ParseTime(v)
		return t.Sub(now), err == nil
	}
	age, ok = defaultFreshness[res.Status]
	return age, ok
}

// defaultFreshness is how long a response stays that does not say
// (https://developers.cloudflare.com/cache/how-to/configure-cache-status-code/#edge-ttl).
var defaultFreshness = map[int]time.Duration{
	http.StatusOK: 2 * time.Hour, http.StatusMovedPermanently: 2 * time.Hour,
	http.StatusFound: 20 * time.Minute, http.StatusSeeOther: 20 * time.Minute,
	http.StatusNotFound: 3 * time.Minute, http.StatusGone: 3 * time.Minute, http.StatusForbidden: time.Minute,
}

// notModified tells whether the conditions of a request hold for a response
// (https://www.rfc-editor.org/rfc/rfc9110#name-precedence-of-preconditions).
func notModified(req, res httpmsg.Header) bool {
	if want, has := req.Get("If-None-Match"); has {
		etag, tagged := res.Get("ETag")
		for _, tag := range strings.Split(want, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || tagged && strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
				return true
			}
		}
		return false
	}
	since, has := req.Get("If-Modified-Since")
	modified, dated := res.Get("Last-Modified")
	if !has || !dated {
		return false
	}
	s, err1 := http.ParseTime(since)
	m, err2 := http.ParseTime(modified)
	return err1 == nil && err2 == nil && !m.After(s)
}
