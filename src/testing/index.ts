/** Tools for tests: a client with cookies, a frozen clock, gates for races, conformance suites of stores. @module */
export { type FileStorageSubject, testFileStorage } from './file-storage-conformance.ts'
export { FrozenClock } from './frozen-clock.ts'
export { Gate, Gates } from './gates.ts'
export { proveSessionStore } from './session-store-conformance.ts'
export { type SubmitOptions, TestClient, type TestRequestOptions } from './test-client.ts'
