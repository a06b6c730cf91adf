/** What tests need: a client with cookies, a clock that stands still, gates for races, a proof of session stores. @module */
export { FrozenClock } from './frozen-clock.ts'
export { Gate, Gates } from './gates.ts'
export { proveSessionStore } from './session-store-conformance.ts'
export { TestClient, type TestRequestOptions } from './test-client.ts'
