package timelinehtml

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
)

// Section is a part of a page, the calls of one test for example.
type Section struct {
	Title   string // "" for none
	Verdict string // "passed" or "failed"; "" for none
	Calls   []durable.CallRecord
	Epoch   time.Time // what the times of the calls' starts count from
}

// Write writes a page with the calls in the order in which they started. It
// stands by itself: no scripts, no other files; its colours follow the reader's
// preference for light or dark. epoch is what the times of the calls' starts
// count from ([durable.Timeline.Epoch]). The error is w's.
//
// Calls whose first attempt succeeded without a fault are a line each; all
// others are a picture, with the story in words.
func Write(w io.Writer, calls []durable.CallRecord, epoch time.Time) error {
	return WriteSections(w, []Section{{Calls: calls, Epoch: epoch}})
}

// WriteSections writes a page like [Write] with several timelines.
func WriteSections(w io.Writer, sections []Section) error {
	var all []durable.CallRecord
	for _, s := range sections {
		all = append(all, s.Calls...)
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Timeline of calls</title>\n<style>\n" +
		shapeCSS + light.css() + light.pageCSS() +
		"@media (prefers-color-scheme: dark){\n" + dark.css() + dark.pageCSS() + "}\n</style>\n</head>\n<body>\n" +
		"<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>" + hatch + "</defs></svg>\n<main>\n<h1>Timeline of calls</h1>\n")
	fmt.Fprintf(&b, "<p class=\"meta\">%s</p>\n", escape(summary(all)))
	for i := range sections {
		s := &sections[i]
		if s.Title != "" {
			pill := ""
			if s.Verdict != "" {
				class := "good"
				if s.Verdict != "passed" {
					class = "bad"
				}
				pill = fmt.Sprintf(" <span class=\"pill %s\">%s</span>", class, escape(s.Verdict))
			}
			fmt.Fprintf(&b, "<h2>%s%s</h2>\n", escape(s.Title), pill)
		}
		told := layers(s.Calls)
		for j := range s.Calls {
			writeCall(&b, newScene(&s.Calls[j]), s.Epoch)
			if text := told[s.Calls[j].Seq]; text != "" {
				fmt.Fprintf(&b, "<p class=\"warning\">%s</p>\n", escape(text))
			}
		}
	}
	b.WriteString("<footer class=\"meta\">Upper lane: the caller, its attempts and waits. Lower lane: what the object ran. " +
		"A dot marks where the host claimed the request. The axis is stretched so that short steps can be read: dotted where no time passes.</footer>\n</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

const hatch = `<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="8"/></pattern>`

func summary(calls []durable.CallRecord) string {
	faulty, failed, repeated := 0, 0, 0
	for i := range calls {
		if calls[i].Faults() > 0 {
			faulty++
		}
		if calls[i].Err != nil {
			failed++
		}
		if calls[i].Repeats != nil {
			repeated++
		}
	}
	text := fmt.Sprintf("%s · %d touched by a fault · %d failed", plural(len(calls), "call"), faulty, failed)
	if repeated > 0 {
		text += fmt.Sprintf(" · %d repeated by the application", repeated)
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mood is the class of an outcome's colour.
func mood(r *durable.CallRecord) string {
	switch {
	case r.Outcome == durable.Pending || r.Outcome == durable.Cancelled:
		return ""
	case r.Err != nil:
		return "bad"
	}
	return "good"
}

func (s *scene) meta(epoch time.Time) string {
	text := "at " + short(s.r.Started.Sub(epoch))
	if s.r.Caller != "" {
		text += ", called by " + s.r.Caller
	}
	if p := s.r.Repeats; p != nil {
		text += fmt.Sprintf(", the application's round %d", p.Round)
	}
	if s.r.Outcome != durable.Pending {
		text += ", took " + short(s.end.Sub(s.r.Started))
	}
	return text
}

func writeCall(b *strings.Builder, s *scene, epoch time.Time) {
	class := "quiet"
	if s.eventful() {
		class = "card"
	}
	fmt.Fprintf(b, "<section class=\"%s\">\n<div class=\"head\"><span class=\"dimmed\">#%d</span><code>%s</code><span class=\"dimmed\">%s</span><span class=\"pill %s\">%s</span></div>\n",
		class, s.r.Seq, escape(s.r.Label()), escape(s.meta(epoch)), mood(s.r), s.r.Outcome)
	if s.eventful() {
		words := escape(s.words())
		var d drawing
		width, height := picture(&d, s)
		fits := ""
		if width <= laneLeft+laneWidth+10 {
			fits = ` class="fits"`
		}
		fmt.Fprintf(b, "<p class=\"told\">%s</p>\n<div class=\"scroll\"><svg%s role=\"img\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"><title>%s</title>\n%s</svg></div>\n",
			words, fits, width, height, width, height, words, d.String())
	}
	b.WriteString("</section>\n")
}

// WriteSVG writes one picture of all calls, for a document, in the colours of
// the light or the dark theme. The error is w's.
func WriteSVG(w io.Writer, calls []durable.CallRecord, epoch time.Time, night bool) error {
	p := &light
	if night {
		p = &dark
	}
	const pad, left = 16, 20
	var body drawing
	y, right := float64(pad), float64(laneLeft+laneWidth+8)
	type card struct{ top, bottom float64 }
	var cards []card
	told := layers(calls)
	for i := range calls {
		s := newScene(&calls[i])
		top := y
		y += 28
		body.text("call", "start", left+14, y, clip(s.r.Label(), 80))
		if text := told[s.r.Seq]; text != "" {
			for _, line := range wrap(text, 120) {
				y += 20
				body.text("warning", "start", left+14, y, line)
			}
		}
		for _, line := range wrap(s.words(), 130) {
			y += 20
			body.text("words", "start", left+14, y, line)
		}
		var d drawing
		width, height := picture(&d, s)
		body.put(`<g transform="translate(%d %.1f)">`, left+14, y+14)
		body.WriteString(d.String())
		body.put("</g>")
		y += 14 + height + 6
		right = max(right, width)
		cards = append(cards, card{top, y})
		y += pad
	}
	width := right + 2*left + 28
	var d drawing
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">`, width, y, width, y)
	d.put("<title>Timeline of calls</title>\n<style>\n%s</style>\n<defs>%s</defs>", p.css(), hatch)
	for i, c := range cards {
		d.put(`<rect class="cardbg" x="%d" y="%.1f" width="%.1f" height="%.1f" rx="10"/>`, left/2, c.top, width-left, c.bottom-c.top)
		r := &calls[i]
		text := r.Outcome.String()
		w := 7*float64(len(text)) + 24
		x := width - left/2 - 16 - w
		d.put(`<rect class="badge %s" x="%.1f" y="%.1f" width="%.1f" height="22" rx="11"/>`, mood(r), x, c.top+13, w)
		d.text("badgetext "+mood(r), "middle", x+w/2, c.top+28, text)
	}
	d.WriteString(body.String())
	d.put("</svg>")
	_, err := io.WriteString(w, d.String())
	return err
}

// clip shortens a text to n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// wrap breaks a text into lines of at most n characters.
func wrap(s string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len(line)+1+len(word) > n {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, clip(line, n))
}
