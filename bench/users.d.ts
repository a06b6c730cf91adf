export { findUser, neededPermission as NEEDED, publicUser, readTable as table } from './application.ts'
/** The scenario that the harness chose for this process. */
export declare const scenario: number
