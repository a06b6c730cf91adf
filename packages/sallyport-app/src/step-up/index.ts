/** Recent proofs before protected actions: what a route asks for, and the action that waits meanwhile. @module */
export { isRecent, STEP_UP_SECONDS, type StepUpRule } from './step-up-rule.ts'
export { type SuspendedAction, SuspendedActions } from './suspended-actions.ts'
