{ const e = new DOMException(); return [e.name, e.message, e.code, String(e), e instanceof Error, Object.keys(e), Object.prototype.toString.call(e)] }
{ const e = new DOMException('m', 'AbortError'); return [e.name, e.message, e.code, String(e), Object.keys(e)] }
new DOMException('m', {name: 'TimeoutError', cause: 5}).cause
new DOMException('m', {name: 'TimeoutError', cause: 5}).name
new DOMException('m', undefined).name
new DOMException(undefined, undefined).message
new DOMException(null, null).message
['IndexSizeError', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', 'NoModificationAllowedError', 'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError', 'SyntaxError', 'InvalidModificationError', 'NamespaceError', 'InvalidAccessError', 'TypeMismatchError', 'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError', 'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError', 'DataCloneError', 'EncodingError', 'NotReadableError', 'UnknownError', 'ConstraintError', 'DataError', 'TransactionInactiveError', 'ReadOnlyError', 'VersionError', 'OperationError', 'NotAllowedError', 'Foo', 'DOMStringSizeError', 'NoDataAllowedError', 'ValidationError'].map(n => n + new DOMException('', n).code)
DOMException.ABORT_ERR
{ const e = new DOMException('m', 'n'); e.message = 'z'; e.name = 'y'; return [e.message, e.name, delete e.message, e.message] }
DOMException.prototype.name
DOMException.prototype.message
DOMException.prototype.code
typeof new DOMException('m', 'n').stack
new DOMException('m', 'n').stack.split('\n')[0]
{ class E extends DOMException { constructor() { super('m', 'n') } } const e = new E(); return [e.name, e.message, e instanceof DOMException, e.constructor.name] }
DOMException('a')
new DOMException(Symbol('x'))
Object.getOwnPropertyNames(new DOMException('m', 'n'))
{ const e = new Event('x'); return [e.type, e.eventPhase, e.composed, e.bubbles, e.cancelable, e.defaultPrevented, e.returnValue, e.currentTarget, e.target, e.srcElement, typeof e.timeStamp, e.isTrusted, e.cancelBubble] }
{ const e = new Event('x', {bubbles: true, cancelable: true, composed: true}); e.preventDefault(); e.stopPropagation(); return [e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.returnValue, e.cancelBubble] }
{ const e = new Event('x'); e.preventDefault(); return e.defaultPrevented }
{ const e = new Event('x'); e.cancelBubble = true; e.cancelBubble = false; return e.cancelBubble }
new Event()
new Event(null).type
new Event(undefined).type
new Event('x', 5)
new Event('x', null).type
new CustomEvent('x', {detail: {a: 1}}).detail
new CustomEvent('x').detail
{ const e = new ErrorEvent('error', {message: 'm', filename: 'f', lineno: 1, colno: 2, error: 7}); return [e.message, e.filename, e.lineno, e.colno, e.error] }
{ const e = new ErrorEvent('error'); return [e.message, e.filename, e.lineno, e.colno, e.error] }
{ const e = new MessageEvent('message', {data: {a: 1}}); return [e.data, e.origin, e.lastEventId, e.source, e.ports, Object.keys(e)] }
{ const e = new MessageEvent('message'); return [e.data, e.origin, e.lastEventId, e.source, e.ports] }
{ const e = new MessageEvent('message', {data: 1, origin: 'o', lastEventId: 'l'}); return [e.data, e.origin, e.lastEventId, e.source, e.ports] }
{ const e = new CloseEvent('close', {code: 1001, reason: 'r', wasClean: true}); return [e.code, e.reason, e.wasClean, Object.keys(e)] }
{ const e = new CloseEvent('close'); return [e.code, e.reason, e.wasClean] }
{ const e = new CloseEvent('close', {}); return [e.code, e.reason, e.wasClean] }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', e => r.push(e.type, e.target === t, e.currentTarget === t, e.eventPhase, e.composedPath().length)); const ret = t.dispatchEvent(new Event('a')); return [ret, r] }
{ const t = new EventTarget(); const e = new Event('a', {cancelable: true}); t.addEventListener('a', e => e.preventDefault()); return [t.dispatchEvent(e), e.target === t, e.currentTarget, e.eventPhase, e.defaultPrevented] }
{ const t = new EventTarget(); let n = 0; const f = () => n++; t.addEventListener('a', f); t.addEventListener('a', f); t.addEventListener('a', f, {capture: true}); t.dispatchEvent(new Event('a')); return n }
{ const t = new EventTarget(); let n = 0; const f = () => n++; t.addEventListener('a', f, {once: true}); t.dispatchEvent(new Event('a')); t.dispatchEvent(new Event('a')); return n }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', e => { r.push(1); e.stopImmediatePropagation() }); t.addEventListener('a', () => r.push(2)); t.dispatchEvent(new Event('a')); return r }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', e => { r.push(1); e.stopPropagation() }); t.addEventListener('a', () => r.push(2)); t.dispatchEvent(new Event('a')); return r }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', {handleEvent(e) { r.push(e.type, typeof this.handleEvent) }}); t.dispatchEvent(new Event('a')); return r }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', function (e) { r.push(this === t) }); t.dispatchEvent(new Event('a')); return r }
{ const t = new EventTarget(); const r = []; const f = () => r.push('f'); t.addEventListener('a', () => { r.push(1); t.removeEventListener('a', f); t.addEventListener('a', () => r.push('late')) }); t.addEventListener('a', f); t.dispatchEvent(new Event('a')); return r }
{ const t = new EventTarget(); const r = []; t.addEventListener('a', () => { r.push(1); throw new Error('boom') }); t.addEventListener('a', () => r.push(2)); try { r.push(t.dispatchEvent(new Event('a'))) } catch (e) { r.push(e.message) } return r }
{ const t = new EventTarget(); const c = new AbortController(); let n = 0; t.addEventListener('a', () => n++, {signal: c.signal}); t.dispatchEvent(new Event('a')); c.abort(); t.dispatchEvent(new Event('a')); return n }
{ const t = new EventTarget(); const e = new Event('a'); let r; t.addEventListener('a', () => { try { t.dispatchEvent(e) } catch (x) { r = x } }); t.dispatchEvent(e); return r }
{ const t = new EventTarget(); t.addEventListener('a', null); return 'ok' }
{ const t = new EventTarget(); t.addEventListener('a', undefined); return 'ok' }
{ const t = new EventTarget(); t.addEventListener('a', () => {}, {passive: true}); return 'ok' }
{ const t = new EventTarget(); t.addEventListener('a', () => {}, true); return 'ok' }
{ const t = new EventTarget(); t.addEventListener('a', () => {}, {capture: true}); return 'ok' }
{ const t = new EventTarget(); const f = () => {}; t.addEventListener('a', f); t.removeEventListener('a', f, true); t.removeEventListener('a', null); return 'ok' }
{ const t = new EventTarget(); t.addEventListener('a', () => {}, 5); return 'ok' }
{ class T extends EventTarget { n = 0; fire() { return this.dispatchEvent(new CustomEvent('q', {detail: 5})) } } const t = new T(); t.addEventListener('q', function (e) { this.n = e.detail }); t.fire(); return t.n }
{ class E extends Event { constructor() { super('mine'); this.z = 1 } } const t = new EventTarget(); let r; t.addEventListener('mine', e => r = [e.z, e instanceof E, e.type]); t.dispatchEvent(new E()); return r }
{ const c = new AbortController(); const s = c.signal; const before = [s.aborted, s.reason, s === c.signal]; c.abort(); return [before, s.aborted, s.reason] }
{ const c = new AbortController(); c.abort('why'); c.abort('again'); return c.signal.reason }
{ const c = new AbortController(); c.abort(undefined); return c.signal.reason }
{ const c = new AbortController(); c.abort(null); return c.signal.reason }
{ const c = new AbortController(); const r = []; c.signal.onabort = function (e) { r.push('on', e.type, this === c.signal, e.isTrusted) }; c.signal.addEventListener('abort', e => r.push('l', e.target === c.signal)); c.abort(); c.abort(); return r }
{ const c = new AbortController(); const r = []; c.signal.addEventListener('abort', e => r.push('l1')); c.signal.onabort = () => r.push('on'); c.signal.addEventListener('abort', e => r.push('l2')); c.abort(); return r }
{ const c = new AbortController(); c.signal.onabort = 5; return [c.signal.onabort] }
{ const c = new AbortController(); const f = () => {}; c.signal.onabort = f; const a = c.signal.onabort === f; c.signal.onabort = null; return [a, c.signal.onabort] }
new AbortController().signal.onabort
{ AbortSignal.abort('x').throwIfAborted() }
new AbortController().signal.throwIfAborted()
AbortSignal.abort().reason
AbortSignal.abort(5).reason
AbortSignal.any([]).aborted
{ const a = new AbortController(), b = new AbortController(); const s = AbortSignal.any([a.signal, b.signal]); b.abort('q'); return [s.aborted, s.reason, a.signal.aborted] }
{ const s = AbortSignal.any([AbortSignal.abort('z'), AbortSignal.abort('y')]); return [s.aborted, s.reason] }
{ const a = new AbortController(); const s = AbortSignal.any([AbortSignal.any([a.signal])]); let n = 0; s.onabort = () => n++; a.abort(); return [s.aborted, n, s.reason === a.signal.reason] }
AbortSignal.any(5)
AbortSignal.any([5])
AbortSignal.any(new Set([AbortSignal.abort(1)]))
AbortSignal.timeout('x')
AbortSignal.timeout(-1)
AbortSignal.timeout(NaN)
{ const s = AbortSignal.timeout(1); const r = [s.aborted]; await new Promise(f => s.onabort = f); return [r, s.aborted, s.reason] }
{ const s = AbortSignal.timeout(0); await new Promise(f => s.onabort = f); return s.reason }
new AbortSignal()
Object.prototype.toString.call(new AbortController())
AbortController.prototype.abort.call({})
{ const { abort } = new AbortController(); abort() }
new AbortController().signal instanceof EventTarget
{ const e = new Event('x'); e.type = 'q'; return e.type }
[Event.NONE, Event.AT_TARGET, new Event('a').BUBBLING_PHASE]
