package timelinehtml

import "strings"

// palette is the colours of one theme.
type palette struct {
	page, card, border, text, dim, track    string
	attempt, attemptLine, good, bad, badBg  string
	goodBg, run, runText, rejected, waitInk string
	warn, warnBg                            string
}

var light = palette{
	page: "#f6f8fa", card: "#ffffff", border: "#d1d9e0", text: "#1f2328", dim: "#59636e", track: "#e4e8ec",
	attempt: "#ddf4ff", attemptLine: "#54aeff", good: "#1a7f37", goodBg: "#dafbe1", bad: "#cf222e", badBg: "#ffebe9",
	run: "#6639ba", runText: "#ffffff", rejected: "#eaeef2", waitInk: "#c8ced5",
	warn: "#9a6700", warnBg: "#fff8c5",
}

var dark = palette{
	page: "#010409", card: "#0d1117", border: "#3d444d", text: "#f0f6fc", dim: "#9198a1", track: "#232a33",
	attempt: "#0c2d4d", attemptLine: "#388bfd", good: "#3fb950", goodBg: "#0f2d1a", bad: "#ff6a61", badBg: "#3a1618",
	run: "#8957e5", runText: "#ffffff", rejected: "#2a313c", waitInk: "#444c56",
	warn: "#d29922", warnBg: "#2d2410",
}

const fonts = `-apple-system,BlinkMacSystemFont,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif`

const mono = `ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace`

// css returns the rules of a picture in the colours of a theme.
func (p *palette) css() string {
	return strings.NewReplacer(
		"$card", p.card, "$border", p.border, "$text", p.text, "$dim", p.dim, "$track", p.track, "$page", p.page,
		"$attemptLine", p.attemptLine, "$attempt", p.attempt, "$goodBg", p.goodBg, "$good", p.good, "$badBg", p.badBg, "$bad", p.bad,
		"$runText", p.runText, "$run", p.run, "$rejected", p.rejected, "$waitInk", p.waitInk, "$warnBg", p.warnBg, "$warn", p.warn, "$fonts", fonts, "$mono", mono,
	).Replace(pictureCSS)
}

const pictureCSS = `svg text{font:12px $fonts;fill:$text}
.pagebg{fill:$page}
.cardbg{fill:$card;stroke:$border}
svg .call{font:600 14px $mono}
svg .words{font-size:13px;fill:$dim}
svg .lane{fill:$dim;font-size:12px}
svg .note{fill:$dim;font-size:12px}
svg .axis{fill:$dim;font-size:11px;font-variant-numeric:tabular-nums}
svg .fault{fill:$bad;font-weight:600;paint-order:stroke;stroke:$card;stroke-width:4px;stroke-linejoin:round}
svg .claimed{fill:$dim;font-size:11px}
svg .warning{fill:$warn;font-size:13px;font-weight:600}
.claim{fill:$run}
.outage{fill:url(#hatch);stroke:$bad;stroke-dasharray:4 3}
svg .barlabel{font-weight:600}
svg .mark.good{fill:$good}
svg .mark.bad{fill:$bad}
svg .runlabel{fill:$runText;font-weight:600}
svg .runlabel.dim{fill:$dim}
svg .runlabel.red{fill:$bad}
.track{stroke:$track;stroke-width:2}
.attempt{fill:$attempt;stroke:$attemptLine;stroke-width:1.5}
.attempt.good{fill:$goodBg;stroke:$good}
.attempt.bad{fill:$badBg;stroke:$bad}
.wait{fill:url(#hatch);stroke:$border}
.hatch{stroke:$waitInk;stroke-width:3}
.run{fill:$run}
.run.thrown{stroke:$bad;stroke-width:3}
.run.open{fill-opacity:.65;stroke:$run;stroke-dasharray:4 3}
.rejected{fill:$rejected;stroke:$dim;stroke-dasharray:4 3}
.reset{fill:$badBg;stroke:$bad;stroke-dasharray:4 3}
line.req,line.reply{stroke:$dim;stroke-width:1.8}
line.ok{stroke:$good}
line.bad{stroke:$bad}
.tip{fill:$dim}
.tip.ok{fill:$good}
.tip.bad{fill:$bad}
.cross{stroke:$bad;stroke-width:3;fill:none;stroke-linecap:round}
.cross.under{stroke:$card;stroke-width:7}
.axisline{stroke:$dim;stroke-width:1.5}
.axisline.still{stroke-dasharray:1.5 4}
.tick{stroke:$dim;stroke-width:1.5}
.badge{fill:$rejected}
.badge.good{fill:$goodBg;stroke:$good}
.badge.bad{fill:$badBg;stroke:$bad}
svg .badgetext{font-weight:600}
svg .badgetext.good{fill:$good}
svg .badgetext.bad{fill:$bad}
`

// pageCSS returns the further rules of a page in the colours of a theme.
func (p *palette) pageCSS() string {
	return strings.NewReplacer("$page", p.page, "$card", p.card, "$border", p.border, "$text", p.text, "$dim", p.dim,
		"$goodBg", p.goodBg, "$good", p.good, "$badBg", p.badBg, "$bad", p.bad, "$rejected", p.rejected, "$warnBg", p.warnBg, "$warn", p.warn).Replace(
		`body{background:$page;color:$text}
.card,.quiet{background:$card;border-color:$border}
.dimmed,.meta{color:$dim}
.pill{background:$rejected;color:$dim;border-color:$border}
.pill.good{background:$goodBg;color:$good;border-color:$good}
.pill.bad{background:$badBg;color:$bad;border-color:$bad}
.warning{background:$warnBg;color:$warn;border-color:$warn}
`)
}

// shapeCSS is what does not depend on the theme.
const shapeCSS = `:root{color-scheme:light dark}
body{margin:0;padding:28px 20px 48px;font:15px/1.5 ` + fonts + `}
main{max-width:960px;margin:0 auto}
h1{font-size:22px;margin:0 0 2px}
h2{font:600 15px ` + mono + `;margin:26px 0 10px;display:flex;gap:12px;align-items:center;overflow-wrap:anywhere}
h2 .pill{margin-left:0;font-family:` + fonts + `}
.meta{margin:0 0 22px}
.card,.quiet{border:1px solid;border-radius:10px;margin:0 0 14px;padding:16px 18px}
.quiet{padding:9px 18px;margin:0 0 8px}
.head{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;margin:0}
.head code{font:600 14px ` + mono + `;overflow-wrap:anywhere}
.quiet .head code{font-weight:400;font-size:13px}
.pill{border:1px solid;border-radius:99px;font-size:12px;font-weight:600;padding:1px 10px;white-space:nowrap;margin-left:auto}
.dimmed{font-size:13px}
.told{margin:6px 0 12px}
.warning{border:1px solid;border-radius:8px;margin:0 0 14px;padding:9px 14px;font-size:14px;font-weight:600;overflow-wrap:anywhere}
.card .warning{margin:8px 0 12px}
.scroll{overflow-x:auto}
.scroll svg{display:block;max-width:none}
.scroll svg.fits{width:100%;height:auto;min-width:720px}
footer{font-size:13px;margin-top:22px}
`
