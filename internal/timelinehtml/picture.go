package timelinehtml

import (
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
)

// drawing collects SVG.
type drawing struct{ strings.Builder }

func (d *drawing) put(format string, a ...any) { fmt.Fprintf(d, format+"\n", a...) }

func (d *drawing) rect(class string, x1, y, x2, h float64) {
	d.put(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="5"/>`, class, x1, y, x2-x1, h)
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.put(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

// text writes at a baseline; anchor is start, middle or end.
func (d *drawing) text(class, anchor string, x, y float64, s string) {
	d.put(`<text class="%s" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, class, x, y, anchor, escape(s))
}

// arrow goes from one point to another; a broken one ends half way in a cross.
func (d *drawing) arrow(class string, x1, y1, x2, y2 float64, broken bool) (ex, ey float64) {
	if broken {
		ex, ey = x1+(x2-x1)*0.55, y1+(y2-y1)*0.55
		d.line(class+" bad", x1, y1, ex, ey)
		d.cross(ex, ey)
		return ex, ey
	}
	tip := 6.0
	if y2 < y1 {
		tip = -tip
	}
	d.line(class, x1, y1, x2, y2-tip/2)
	d.put(`<path class="%s tip" d="M%.1f %.1fl-4 %.1fh8z"/>`, class, x2, y2, -tip)
	return x2, y2
}

func (d *drawing) cross(x, y float64) {
	// First broader, in the background's colour, to stand out from what is below.
	for _, class := range []string{"cross under", "cross"} {
		d.put(`<path class="%s" d="M%.1f %.1fl10 10m0 -10l-10 10"/>`, class, x-5, y-5)
	}
}

// escape makes text safe for SVG: control characters are not allowed there.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s))
}

// picture draws the lanes of a call at the origin and returns its size.
func picture(d *drawing, s *scene) (width, height float64) {
	l := newLayout(s)
	d.text("lane", "start", 0, callerTop+17, "caller")
	d.text("lane", "start", 0, objectTop+17, "object")
	d.line("track", laneLeft, objectTop+barHeight/2, l.right, objectTop+barHeight/2)
	for i := range l.segments {
		g := &l.segments[i]
		if g.wait {
			l.drawWait(d, g)
		} else {
			l.drawAttempt(d, g)
		}
	}
	l.drawAxis(d)
	return max(l.right, laneLeft+laneWidth) + 8, l.axisY() + axisHeight
}

func (l *layout) drawWait(d *drawing, g *segment) {
	d.rect("wait", g.x1+3, callerTop+6, g.x2-3, barHeight-12)
	text := short(g.to.Sub(g.from))
	if !l.tight() {
		text = "waits " + text
	}
	d.text("note", "middle", (g.x1+g.x2)/2, callerTop+barHeight+12, text)
}

func (l *layout) drawAttempt(d *drawing, g *segment) {
	a := g.a
	class, mark := "attempt", ""
	switch {
	case a.good:
		class, mark = "attempt good", "✓"
	case a.ended:
		class, mark = "attempt bad", "✕"
	}
	d.rect(class, g.x1, callerTop, g.x2, barHeight)
	label := fmt.Sprintf("attempt %d", a.number)
	if a.retry && !l.tight() {
		label += " · flagged retry"
	}
	d.text("barlabel", "start", g.x1+10, callerTop+17, label)
	if mark != "" {
		d.text("barlabel mark "+strings.TrimPrefix(class, "attempt "), "end", g.x2-10, callerTop+17, mark)
	}

	// The object's lane: where the request arrives, and where the reply leaves.
	hx1, hx2, hy := g.x1+2*arrowInset, g.x2-2*arrowInset, float64(objectTop)
	replyX, replyY := 0.0, 0.0
	switch {
	case len(a.runs) > 0:
		for i, r := range a.runs {
			end := r.end
			if !r.ended {
				end = l.end
			}
			x1, x2 := l.bar(g, r.start, end)
			y := l.row(x1, x2)
			if i == 0 {
				hx1, hx2, hy = x1, x2, y
			}
			l.drawRun(d, a, &r, i, x1, x2, y)
		}
		if e := a.hit(durable.PointStorageUnavailable); e != nil && g.x2-2*arrowInset > hx2 {
			ox2 := g.x2 - 2*arrowInset
			oy := l.row(hx1, ox2)
			d.rect("outage", hx1, oy, ox2, barHeight)
			d.text("fault", "middle", (hx1+ox2)/2, oy+17, l.brief("storage does not answer", "no storage"))
			replyX, replyY = ox2, oy
		}
		if a.dupRefused {
			x2 := max(hx2, hx1+l.size(124, 0))
			l.drawRejected(d, "duplicate rejected", hx1, x2, l.row(hx1, x2))
		}
	case a.turnedAway():
		hy = l.row(hx1, hx2)
		text := "rejected: seen before"
		if l.r.Crashed(a.number) {
			text = "rejected: cannot know"
		}
		l.drawRejected(d, text, hx1, hx2, hy)
	case a.hit(durable.PointAbortBefore) != nil:
		hy = l.row(hx1, hx2)
		d.rect("reset", hx1, hy, hx2, barHeight)
		d.text("runlabel red", "middle", (hx1+hx2)/2, hy+17, l.brief("reset, did not run", "reset"))
	case a.hit(durable.PointCrashBefore) != nil:
		hy = l.row(hx1, hx2)
		d.rect("reset", hx1, hy, hx2, barHeight)
		d.text("runlabel red", "middle", (hx1+hx2)/2, hy+17, l.brief("did not run", "no run"))
	}
	if a.claimed {
		d.put(`<circle class="claim" cx="%.1f" cy="%.1f" r="3.5"/>`, hx1+5, hy+barHeight+9)
		d.text("claimed", "start", hx1+12, hy+barHeight+12.5, "claimed")
	}
	if replyY == 0 {
		replyX, replyY = hx2, hy
	}
	l.drawArrows(d, g, hx1, hx2, hy, replyX, replyY)
}

func (l *layout) drawRejected(d *drawing, text string, x1, x2, y float64) {
	text = l.brief(text, "rejected")
	d.rect("rejected", x1, y, x2, barHeight)
	d.text("runlabel dim", "middle", (x1+x2)/2, y+17, text)
}

func (l *layout) drawRun(d *drawing, a *attempt, r *run, i int, x1, x2, y float64) {
	class, text := "run", "ran"
	if i > 0 || l.ranBefore(a) {
		text = "ran again"
	}
	switch {
	case !r.ended:
		class, text = "run open", l.brief("still runs", "runs")
	case a.crash() != nil && r.err != nil:
		class, text = "run thrown", l.brief(text+", crashed", "ran")
	case a.hit(durable.PointWriteFailed) != nil:
		class, text = "run thrown", l.brief(text+", writes lost", "lost")
	case r.err != nil && r.err.Reset:
		class, text = "run thrown", l.brief(text+", reset", "reset")
	case r.err != nil:
		class, text = "run thrown", l.brief(text+", threw", "threw")
	}
	d.rect(class, x1, y, x2, barHeight)
	d.text("runlabel", "middle", (x1+x2)/2, y+17, text)
}

// drawArrows draws the request and the reply of an attempt, and names its faults
// between the lanes.
func (l *layout) drawArrows(d *drawing, g *segment, hx1, hx2, hy, leaveX, leaveY float64) {
	a := g.a
	top, bottom := float64(callerTop+barHeight), hy
	rx := g.x1 + arrowInset
	lost := !a.reached() && a.ended && a.failed != nil
	d.arrow("req", rx, top+1, max(rx+8, min(hx1+8, hx2)), bottom-1, lost)

	replyX := g.x2 - arrowInset
	from := min(max(hx1, leaveX-8), replyX-8)
	dropped := a.hit(durable.PointReplyDropped, durable.PointConnectionDropped) != nil
	if a.hit(durable.PointConnectionDropped) != nil {
		from = min(from, replyX-16)
	}
	crashed := a.crash() != nil
	switch {
	case crashed:
		d.cross(hx2, hy+barHeight/2) // nothing leaves
	case dropped:
		d.arrow("reply", from, leaveY-1, replyX, top+1, true)
	case a.good:
		d.arrow("reply ok", from, leaveY-1, replyX, top+1, false)
	case a.ended && a.reached() && (a.rejected || a.failed != nil):
		d.arrow("reply bad", from, leaveY-1, replyX, top+1, false)
	}
	y := top + 20
	for i := range a.faults {
		e := &a.faults[i]
		anchor, x := "middle", (g.x1+g.x2)/2
		switch {
		case crashed && e == a.crash():
			anchor, x = "end", max(hx2+4, hx1+60)
		case dropped && (e.Point == durable.PointReplyDropped || e.Point == durable.PointConnectionDropped):
			anchor, x = "end", replyX-l.size(22, 20)
		case lost:
			anchor, x = "start", rx+l.size(26, 22)
		}
		d.text("fault", anchor, x, y, faultLabel(e, l.tight()))
		y += 14
	}
}

// drawAxis draws the axis: solid where time passes, dotted where it does not.
func (l *layout) drawAxis(d *drawing) {
	y := l.axisY()
	last, lastX := "", -100.0
	tick := func(x float64, t time.Time) {
		d.line("tick", x, y-4, x, y+4)
		s := short(t.Sub(l.r.Started))
		if s == last || x-lastX < 50 {
			return
		}
		anchor := "middle"
		switch {
		case x < laneLeft+20:
			anchor = "start"
		case x > l.right-20:
			anchor = "end"
		}
		d.text("axis", anchor, x, y+18, s)
		last, lastX = s, x
	}
	for i := range l.segments {
		g := &l.segments[i]
		class := "axisline"
		if !g.to.After(g.from) {
			class += " still"
		}
		d.line(class, g.x1, y, g.x2, y)
		tick(g.x1, g.from)
	}
	if n := len(l.segments); n > 0 {
		tick(l.right, l.segments[n-1].to)
	}
}
