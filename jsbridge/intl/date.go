package intl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zones do not depend on the machine
)

// dateOptions are the resolved options of a DateTimeFormat; a component that is
// not shown is "".
type dateOptions struct {
	weekday, era, year, month, day, dayPeriod, hour, minute, second string
	zoneName, hourCycle                                             string
	fraction                                                        int
	at                                                              bool // " at " between date and time
	loc                                                             *time.Location
	zone                                                            string
}

// maxTime is the largest time value in milliseconds.
const maxTime = 8.64e15

func text(style string, name string) string {
	switch style {
	case "narrow":
		return name[:1]
	case "short":
		return name[:3]
	}
	return name
}

func number(style string, n int) string {
	if style == "2-digit" {
		return fmt.Sprintf("%02d", n%100)
	}
	return strconv.Itoa(n)
}

func numeric(style string) bool { return style == "numeric" || style == "2-digit" }

// format formats a time value in milliseconds.
func (o *dateOptions) format(ms float64) parts {
	whole := int64(math.Floor(ms))
	t := time.UnixMilli(whole).In(o.loc)
	date := o.date(t)
	clock := o.clock(t)
	switch {
	case len(date) == 0:
		return clock
	case len(clock) == 0:
		return date
	}
	join := ", "
	switch {
	case o.at || o.month == "long":
		join = " at "
	case o.weekday != "" && o.day == "" && o.month == "" && o.year == "" && len(clock) > 0 && clock[0].typ == "hour":
		join = " "
	}
	date.add("literal", join)
	return append(date, clock...)
}

// date writes the date in the order of en-US.
func (o *dateOptions) date(t time.Time) parts {
	var out parts
	y := t.Year()
	era := "AD"
	if y <= 0 {
		y, era = 1-y, "BC"
	}
	weekday := func() { out.add("weekday", text(o.weekday, t.Weekday().String())) }
	month := func() {
		if numeric(o.month) {
			out.add("month", number(o.month, int(t.Month())))
		} else {
			out.add("month", text(o.month, t.Month().String()))
		}
	}
	day := func() { out.add("day", number(o.day, t.Day())) }
	sep := func(s string) {
		if len(out) > 0 {
			out.add("literal", s)
		}
	}
	full := o.weekday != "" && o.month != "" && o.day != ""
	if full {
		weekday()
	}
	if o.month != "" {
		sep(", ")
		month()
	}
	if o.day != "" {
		switch {
		case o.month == "":
		case numeric(o.month):
			sep("/")
		default:
			sep(" ")
		}
		day()
	}
	late := o.weekday != "" && !full
	if late && o.day != "" {
		sep(" ")
		weekday()
		late = false
	}
	if o.year != "" {
		switch {
		case o.month != "" && numeric(o.month):
			sep("/")
		case o.month != "" && o.day != "":
			sep(", ")
		default:
			sep(" ")
		}
		out.add("year", number(o.year, y))
	}
	if late {
		sep(" ")
		weekday()
	}
	if o.era != "" {
		sep(" ")
		switch {
		case o.era == "narrow":
			era = era[:1]
		case o.era == "long" && era == "AD":
			era = "Anno Domini"
		case o.era == "long":
			era = "Before Christ"
		}
		out.add("era", era)
	}
	return out
}

// clock writes the time of day.
func (o *dateOptions) clock(t time.Time) parts {
	var out parts
	period := ""
	if o.hour != "" {
		h := t.Hour()
		switch o.hourCycle {
		case "h11", "h12":
			period = "AM"
			if h >= 12 {
				period = "PM"
			}
			if h %= 12; h == 0 && o.hourCycle == "h12" {
				h = 12
			}
		case "h24":
			if h == 0 {
				h = 24
			}
		}
		out.add("hour", number(o.hour, h))
	}
	if o.minute != "" {
		if len(out) > 0 {
			out.add("literal", ":")
		}
		out.add("minute", number(o.minute, t.Minute()))
	}
	if o.second != "" {
		if len(out) > 0 {
			out.add("literal", ":")
		}
		out.add("second", number(o.second, t.Second()))
	}
	if o.fraction > 0 {
		if o.second != "" {
			out.add("literal", ".")
		}
		out.add("fractionalSecond", fmt.Sprintf("%03d", t.Nanosecond()/1e6)[:o.fraction])
	}
	if o.dayPeriod != "" && (o.hour == "" || period != "") {
		period = dayPeriod(t.Hour(), o.dayPeriod)
	}
	if period != "" {
		if len(out) > 0 {
			out.add("literal", " ")
		}
		out.add("dayPeriod", period)
	}
	if o.zoneName != "" {
		if len(out) > 0 {
			out.add("literal", " ")
		}
		out.add("timeZoneName", o.zoneText(t))
	}
	return out
}

func dayPeriod(hour int, style string) string {
	switch {
	case hour == 12 && style == "narrow":
		return "n"
	case hour == 12:
		return "noon"
	case hour < 12:
		return "in the morning"
	case hour < 18:
		return "in the afternoon"
	case hour < 21:
		return "in the evening"
	}
	return "at night"
}

// zoneText names the zone at a time.
func (o *dateOptions) zoneText(t time.Time) string {
	_, offset := t.Zone()
	n := zoneIndex().names[o.zone]
	utc := o.zone == "UTC"
	long := strings.HasPrefix(o.zoneName, "long")
	if n != nil && !(utc && strings.HasSuffix(o.zoneName, "Generic")) {
		i := 0
		if daylight(t, offset) {
			i = 1
		}
		name := ""
		switch o.zoneName {
		case "short":
			name = n.short[i]
		case "long":
			name = n.long[i]
		case "shortGeneric":
			name = n.shortGeneric
		case "longGeneric":
			name = n.longGeneric
		}
		if name != "" {
			return name
		}
	}
	return "GMT" + offsetText(offset, long)
}

// daylight tells whether the clocks are ahead of where they are at another time
// of the year.
func daylight(t time.Time, offset int) bool {
	for _, m := range []time.Month{time.January, time.July} {
		if _, other := time.Date(t.Year(), m, 1, 12, 0, 0, 0, t.Location()).Zone(); other < offset {
			return true
		}
	}
	return false
}

// offsetText writes an offset from UTC in seconds, as +5:30 or +05:30.
func offsetText(offset int, long bool) string {
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	h, m, s := offset/3600, offset/60%60, offset%60
	out := sign + strconv.Itoa(h)
	if long {
		out = fmt.Sprintf("%s%02d", sign, h)
	}
	if long || m != 0 || s != 0 {
		out += fmt.Sprintf(":%02d", m)
	}
	if s != 0 {
		out += fmt.Sprintf(":%02d", s)
	}
	return out
}

// zoneOf resolves the name of a time zone or an offset such as +05:30. ok is
// false when there is none of that name.
func zoneOf(name string) (canonical string, loc *time.Location, ok bool) {
	if name != "" && (name[0] == '+' || name[0] == '-') {
		digits := strings.Replace(name[1:], ":", "", 1)
		if len(name) != 3 && len(name) != 5 && !(len(name) == 6 && name[3] == ':') || strings.Trim(digits, "0123456789") != "" {
			return "", nil, false
		}
		digits += "00"[:4-len(digits)]
		h, _ := strconv.Atoi(digits[:2]) // digits, as was checked
		m, _ := strconv.Atoi(digits[2:])
		if h > 23 || m > 59 {
			return "", nil, false
		}
		canonical = name[:1] + digits[:2] + ":" + digits[2:]
		offset := h*3600 + m*60
		if name[0] == '-' {
			offset = -offset
		}
		if offset == 0 {
			canonical = "+00:00"
		}
		return canonical, time.FixedZone(canonical, offset), true
	}
	canonical, ok = zoneIndex().canonical[strings.ToLower(name)]
	if !ok {
		return "", nil, false
	}
	if loc, err := time.LoadLocation(canonical); err == nil {
		return canonical, loc, true
	}
	return "", nil, false
}
