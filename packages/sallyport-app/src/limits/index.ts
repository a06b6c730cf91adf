/** Limits on failed attempts and on what costs much, whoever asks: for accounts, addresses, clients. @module */
export { type AttemptTable, type AttemptTables, attemptTables } from './attempt-table.ts'
export { Attempts, timesOf } from './attempts.ts'
export {
  type Failures,
  hashedFor,
  KEPT_SECONDS,
  Limit,
  type LimitedSubject,
  type LimitOptions,
} from './limit.ts'
