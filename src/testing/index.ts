/** What tests of an application need: a client with cookies and a clock that stands still. @module */
export { FrozenClock } from './frozen-clock.ts'
export { TestClient, type TestClientOptions, type TestRequestOptions } from './test-client.ts'
