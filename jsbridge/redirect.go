package jsbridge

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// maxRedirects is how many redirects a fetch follows (measured on workerd; the
// limit of the Fetch standard).
const maxRedirects = 20

// redirects reports whether the response makes fetch() send another request
// (https://fetch.spec.whatwg.org/#http-redirect-fetch).
func redirects(req *httpmsg.Request, res *httpmsg.Response) bool {
	switch res.Status {
	case 301, 302, 303, 307, 308:
		return req.Redirect != "manual" && res.Header.Has("Location")
	}
	return false
}

// redirected makes the request that a redirect asks for. urls are those of the
// requests made so far.
func redirected(req *httpmsg.Request, res *httpmsg.Response, urls []string) (*httpmsg.Request, *durable.Error) {
	if len(urls) > maxRedirects {
		return nil, &durable.Error{Name: "TypeError", Message: "Too many redirects." + strings.Join(urls, ", ")}
	}
	location, _ := res.Header.Get("Location")
	next := req.Clone()
	href, ok := webapi.ResolveURL(location, req.URL)
	if !ok {
		return nil, &durable.Error{Name: "TypeError", Message: "Invalid Location header; unable to follow redirect."}
	}
	next.URL, _, _ = strings.Cut(href, "#")
	if _, err := localResponse(next.URL); err != nil || strings.HasPrefix(next.URL, "data:") {
		return nil, &durable.Error{Name: "TypeError", Message: "Fetch API cannot load: " + next.URL}
	}
	// A POST becomes a GET by custom, everything but HEAD does by 303. The
	// headers that describe the body are kept even so (measured on workerd).
	if (res.Status == 301 || res.Status == 302) && req.Method == "POST" || res.Status == 303 && req.Method != "HEAD" {
		next.Method = "GET"
		next.Body = httpmsg.NoBody()
	}
	if !next.Body.Replayable() {
		return nil, &durable.Error{Name: "TypeError", Message: "A request with a one-time-use body (it was initialized from a stream, not a buffer) encountered a redirect requiring the body to be retransmitted. To avoid this error in the future, construct this request from a buffer-like body initializer."}
	}
	if origin(next.URL) != origin(req.URL) {
		next.Header.Del("Authorization")
	}
	return next, nil
}

func origin(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return href
	}
	return u.Scheme + "://" + u.Host
}

// localResponse answers a request for a data: URL, and refuses schemes that no
// server can be asked for. It returns nil for the others.
func localResponse(href string) (*httpmsg.Response, error) {
	scheme, rest, _ := strings.Cut(href, ":")
	switch scheme {
	case "http", "https":
		return nil, nil
	case "data":
		if res, ok := dataResponse(rest); ok {
			return res, nil
		}
	}
	return nil, &durable.Error{Name: "TypeError", Message: "Fetch API cannot load: " + href}
}

// dataResponse decodes a data: URL (https://fetch.spec.whatwg.org/#data-urls).
// Base64 that cannot be decoded reads as empty (measured on workerd).
func dataResponse(rest string) (*httpmsg.Response, bool) {
	mime, data, ok := strings.Cut(rest, ",")
	if !ok {
		return nil, false
	}
	text, err := url.PathUnescape(data)
	if err != nil {
		text = data
	}
	body := []byte(text)
	mime = strings.TrimSpace(mime)
	if base, ok := strings.CutSuffix(mime, "base64"); ok {
		if base, ok = strings.CutSuffix(strings.TrimRight(base, " "), ";"); ok {
			mime = base
			clean := strings.NewReplacer("\t", "", "\n", "", "\f", "", "\r", "", " ", "").Replace(text)
			if body, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(clean, "=")); err != nil {
				body = nil
			}
		}
	}
	if strings.HasPrefix(mime, ";") {
		mime = "text/plain" + mime
	}
	if mime == "" {
		mime = "text/plain;charset=US-ASCII"
	}
	res := &httpmsg.Response{Status: 200, StatusText: "OK", Body: httpmsg.BytesBody(body)}
	res.Header.Add("Content-Type", mime)
	return res, true
}

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }
