/** What a run of hours needs that breaks servers and processes: pace, excused refusals, memory of the processes. @module */
export { type Held, Memory, probed, slopeOf } from './memory.ts'
export { Pace } from './pace.ts'
export { type Fault, type Miss, Tally } from './tally.ts'
