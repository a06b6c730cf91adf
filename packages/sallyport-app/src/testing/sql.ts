/** The statements that a process sends, and those of them that read a table from one end to the other. @module */
export { fullReads, type Planned } from './full-reads.ts'
export { beforeStatements, type Statement, type StatementListener } from './statements.ts'
