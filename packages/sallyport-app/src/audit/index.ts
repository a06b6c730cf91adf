/** The audit trail: a table to which entries are only added, what is said of them on pages, and who acts that owns no account. @module */
export type { AuditEntry, AuditRecord } from './audit-entry.ts'
export type { AuditSummary } from './audit-summary.ts'
export { AuditTrail, READ_OF_EACH_KIND } from './audit-trail.ts'
export { type EventTable, type EventTables, eventTables, TRAIL_KEPT_DAYS } from './event-table.ts'
export { byOperator, type OperatorActor, type OperatorEntry, operatorName, operatorOf } from './operator.ts'
export { isReason, reasonOf } from './reason.ts'
export { asStories, type Story, type TrailOptions, TrailRules } from './trail-rules.ts'
