package intl

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/currencies.tsv
var currencyTable string

//go:embed data/units.tsv
var unitTable string

//go:embed data/zones.tsv
var zoneTable string

//go:embed data/aliases.tsv
var aliasTable string

func rows(table string, f func(columns []string)) {
	for line := range strings.Lines(table) {
		f(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
}

type currency struct {
	code, symbol, narrow, one, many string
	digits                          int
}

var currencies = sync.OnceValue(func() map[string]*currency {
	m := make(map[string]*currency)
	rows(currencyTable, func(c []string) {
		x := &currency{code: c[0], digits: int(c[1][0] - '0'), symbol: c[2], narrow: c[3], one: c[4], many: c[5]}
		if x.symbol == "" {
			x.symbol = x.code
		}
		if x.narrow == "" {
			x.narrow = x.symbol
		}
		m[x.code] = x
	})
	return m
})

// currencyOf returns a currency; one that nobody knows has its code for a name.
func currencyOf(code string) *currency {
	if c := currencies()[code]; c != nil {
		return c
	}
	return &currency{code: code, symbol: code, narrow: code, one: code, many: code, digits: 2}
}

func (c *currency) name(one bool) string {
	if one {
		return c.one
	}
	return c.many
}

func (c *currency) symbolFor(display string) string {
	switch display {
	case "code":
		return c.code
	case "narrowSymbol":
		return c.narrow
	}
	return c.symbol
}

var units = sync.OnceValue(func() map[string][]string {
	m := make(map[string][]string)
	rows(unitTable, func(c []string) { m[c[0]] = c[1:] })
	return m
})

// unitPattern returns what stands around the number. The unit is in the table.
func unitPattern(unit, display string, one bool) (before, space, after string) {
	i := 2 * slices.Index([]string{"short", "long", "narrow"}, display)
	if !one {
		i++
	}
	before, after, _ = strings.Cut(units()[unit][i], "#")
	if rest, ok := strings.CutPrefix(after, " "); ok {
		return before, " ", rest
	}
	return before, "", after
}

// zoneNames are the names of a time zone: long and short ones for standard and
// daylight saving time, and generic ones. Where one is empty the offset stands.
type zoneNames struct {
	long, short               [2]string
	longGeneric, shortGeneric string
}

type zones struct {
	names     map[string]*zoneNames
	canonical map[string]string // by the lower-case name
	listed    []string
}

var zoneIndex = sync.OnceValue(func() *zones {
	z := &zones{names: make(map[string]*zoneNames), canonical: make(map[string]string)}
	rows(zoneTable, func(c []string) {
		n := &zoneNames{[2]string{c[0], c[1]}, [2]string{c[2], c[3]}, c[4], c[5]}
		for _, name := range strings.Fields(c[6]) {
			z.names[name] = n
			z.canonical[strings.ToLower(name)] = name
			z.listed = append(z.listed, name)
		}
	})
	z.names["UTC"] = &zoneNames{long: [2]string{"Coordinated Universal Time"}, short: [2]string{"UTC"}}
	rows(aliasTable, func(c []string) { z.canonical[strings.ToLower(c[0])] = c[1] })
	slices.Sort(z.listed)
	return z
})
