/** Tools for tests: a client with cookies, a frozen clock, gates for races, the conformance suite of session stores. @module */
export { FrozenClock } from './frozen-clock.ts'
export { Gate, Gates } from './gates.ts'
export { proveSessionStore } from './session-store-conformance.ts'
export { type SubmitOptions, TestClient, type TestRequestOptions } from './test-client.ts'
