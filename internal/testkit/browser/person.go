package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp/kb"
)

// hearLog takes entries of the browser's log. Refused requests are logged too; that is what tests of refusals ask for.
func (p *Tab) hearLog(event any) {
	e, ok := event.(*log.EventEntryAdded)
	if ok && e.Entry != nil && e.Entry.Source != log.EntrySourceNetwork {
		p.complain("log: " + marshal(e.Entry))
	}
}

func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// text returns a value that is one.
func text(o *runtime.RemoteObject) string {
	var value string
	if o == nil || json.Unmarshal(o.Value, &value) != nil {
		return ""
	}
	return value
}

// Front brings the page to where somebody sees it: pages that nobody sees do not look again.
func (p *Tab) Front() {
	p.t.Helper()
	call(p, page.BringToFront, cdp.Empty{})
}

// Keys that are not characters, and one that is held down with others.
const (
	Enter     = kb.Enter
	Escape    = kb.Escape
	TabKey    = kb.Tab
	Home      = kb.Home
	End       = kb.End
	ArrowDown = kb.ArrowDown
	ArrowUp   = kb.ArrowUp

	ArrowLeft  = kb.ArrowLeft
	ArrowRight = kb.ArrowRight

	Ctrl = kb.ModifierCtrl
)

// Press presses a key, one of those above or a character, with those that are held down with it. A page that takes the key for itself gets no
// character, as with a keyboard.
func (p *Tab) Press(key string, held ...kb.Modifier) {
	p.t.Helper()
	known := kb.Keys[[]rune(key)[0]]
	if known == nil {
		p.t.Fatalf("no key types %q", key)
	}
	down := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: known.Key, Code: known.Code, WindowsVirtualKeyCode: known.Windows, NativeVirtualKeyCode: known.Native,
	}
	for _, m := range held {
		down.Modifiers |= int64(m)
	}
	if down.Modifiers == 0 && known.Text != "" {
		down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, known.Text, known.Unmodified
	}
	call(p, input.DispatchKeyEvent, down)
	up := down
	up.Type, up.Text, up.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
	call(p, input.DispatchKeyEvent, up)
}

// Write inserts a text where the focus is.
func (p *Tab) Write(text string) {
	p.t.Helper()
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// Choose gives a file to an input for files.
func (p *Tab) Choose(input, file string) {
	p.t.Helper()
	found := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf(`document.querySelector(%q)`, input)})
	if found.Result == nil || found.Result.ObjectID == "" {
		p.t.Fatalf("nothing is %s", input)
	}
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: found.Result.ObjectID})
}

// Down presses the left button of the mouse.
func (p *Tab) Down(x, y float64) {
	p.t.Helper()
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
	p.pressed = true
}

// Move moves the mouse.
func (p *Tab) Move(x, y float64) {
	p.t.Helper()
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, p.pressed)
}

// Up releases the left button of the mouse.
func (p *Tab) Up(x, y float64) {
	p.t.Helper()
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, true)
	p.pressed = false
}

func (p *Tab) mouse(kind input.DispatchMouseEventType, x, y float64, button bool) {
	p.t.Helper()
	m := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if button {
		m.Button, m.Buttons, m.ClickCount = input.MouseButtonLeft, 1, 1
	}
	call(p, input.DispatchMouseEvent, m)
}

// turn is a turn of the wheel. The protocol wants both directions, also the one that is zero.
type turn struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`
}

// Wheel turns the wheel of the mouse over something.
func (p *Tab) Wheel(over string, by float64) {
	p.t.Helper()
	x, y := p.Middle(over)
	wheel := cdp.Command[turn, cdp.Empty]{Method: input.CommandDispatchMouseEvent}
	call(p, wheel, turn{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaY: by})
}

// Click clicks in the middle of something, as a person does: what lies above it takes the click.
func (p *Tab) Click(selector string) {
	p.t.Helper()
	p.Do(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, selector))
	x, y := p.Middle(selector)
	p.Down(x, y)
	p.Up(x, y)
}

// Swipe moves a finger from the middle of something, in steps of pixels.
func (p *Tab) Swipe(over string, steps int, dx, dy float64) {
	p.t.Helper()
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	x, y := p.Middle(over)
	kind := input.DispatchTouchEventTypeTouchStart
	for range steps + 1 {
		call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}})
		kind = input.DispatchTouchEventTypeTouchMove
		x, y = x+dx, y+dy
	}
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
}

// Middle returns that of something, in the window.
func (p *Tab) Middle(of string) (x, y float64) {
	p.t.Helper()
	at := p.Do(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2); })()`, of))
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		p.t.Fatal(at, err)
	}
	return x, y
}

// Size makes the window as large as that, on a telephone if it is narrow.
func (p *Tab) Size(width, height int64) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600,
	})
}

// Narrow makes the window as wide as that of a telephone. Nothing may stick out of it.
func (p *Tab) Narrow(name string) {
	p.t.Helper()
	p.Size(400, 1400)
	p.Until(`innerWidth === 400 && document.documentElement.scrollWidth === 400`)
	p.Screenshot(name + "-narrow")
}

// schemes are the colours that people prefer.
var schemes = []string{"light", "dark"}

// scheme lets the page be light or dark. Motion is off: half of a transition has colours of its own.
func (p *Tab) scheme(name string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Screenshot keeps pictures of the page, light and dark, in the folder RCCD_SCREENSHOTS, if that is set.
func (p *Tab) Screenshot(name string) {
	p.t.Helper()
	folder := os.Getenv("RCCD_SCREENSHOTS")
	if folder == "" {
		return
	}
	p.Until(`performance.now() > 8000 || !document.querySelector("#plot")`) // long enough for a curve
	for _, scheme := range schemes {
		p.scheme(scheme)
		shot := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
		if err := os.WriteFile(filepath.Join(folder, name+"-"+scheme+".png"), shot.Data, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}
