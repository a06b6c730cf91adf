/** What adapters need of the application: how it refuses a request, and where faults go. @module */
export { MISDIRECTED, type Refusal, refusal, refusalOf } from './refusal.ts'
export { reportFault } from './report-fault.ts'
export { asking } from './who.ts'
