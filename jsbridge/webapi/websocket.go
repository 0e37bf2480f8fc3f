package webapi

import "github.com/dop251/goja"

// The classes of WebSockets exist so that code that names them loads, but
// nothing can be made with them yet; the error says which it was.
func init() {
	for id, name := range map[classID]string{
		classWebSocket: "WebSocket", classWebSocketPair: "WebSocketPair", classWebSocketRequestResponsePair: "WebSocketRequestResponsePair",
	} {
		parent := noParent
		if id == classWebSocket {
			parent = classEventTarget
		}
		classSpecs[id] = classSpec{name: name, parent: parent, construct: func(a *API, _ goja.ConstructorCall) {
			a.throw(a.newError("Error", name+" is not implemented in durashim"))
		}}
	}
}
