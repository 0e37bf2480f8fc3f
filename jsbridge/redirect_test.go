package jsbridge

import (
	"testing"

	"github.com/durashim/durashim/internal/httpmsg"
)

func TestDataURLs(t *testing.T) {
	for _, c := range []struct{ url, mime, body string }{
		{"data:,A%20b", "text/plain;charset=US-ASCII", "A b"},
		{"data:text/html;base64,aGk=", "text/html", "hi"},
		{"data:text/html;charset=x,<b>", "text/html;charset=x", "<b>"},
		{"data:;base64,!!", "text/plain;charset=US-ASCII", ""},
		{"data:;charset=utf-8,%zz", "text/plain;charset=utf-8", "%zz"},
	} {
		res, err := localResponse(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		body, _ := res.Body.Bytes()
		if mime, _ := res.Header.Get("content-type"); mime != c.mime || string(body) != c.body {
			t.Errorf("%s: %s %q", c.url, mime, body)
		}
	}
	for _, url := range []string{"data:x", "ftp://a/", "blob:x"} {
		if _, err := localResponse(url); err == nil || err.Error() != "TypeError: Fetch API cannot load: "+url {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func FuzzDataURL(f *testing.F) {
	f.Add("text/html;base64,aGk=")
	f.Add(";charset=x,%41%")
	f.Fuzz(func(t *testing.T, rest string) {
		res, ok := dataResponse(rest)
		if !ok {
			return
		}
		if mime, _ := res.Header.Get("Content-Type"); mime == "" {
			t.Error("no type")
		}
	})
}

func FuzzRedirected(f *testing.F) {
	f.Add("/x", 302)
	f.Add("http://u:p@[::1]:1/#x", 307)
	f.Fuzz(func(t *testing.T, location string, status int) {
		req := &httpmsg.Request{Method: "POST", URL: "http://a/b", Body: httpmsg.BytesBody([]byte("x"))}
		res := &httpmsg.Response{Status: status, Header: httpmsg.Header{{Name: "Location", Value: location}}}
		next, err := redirected(req, res, []string{req.URL})
		if err == nil {
			if _, lerr := localResponse(next.URL); lerr != nil {
				t.Errorf("followed to %s", next.URL)
			}
		}
	})
}
