/** What programs ask that watch a process, and what it says of its requests. @module */
export { logRequests } from './access-log.ts'
export { leaveLoadBalancer, MAX_DRAIN_MILLISECONDS } from './leave-load-balancer.ts'
export { health } from './modules.ts'
export { type Needed, Readiness } from './readiness.ts'
