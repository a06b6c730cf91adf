import type { Files } from '../files.ts'
import type { Step } from './apply.ts'
import type { Change } from './plan.ts'

/** What a command would do. */
export interface Proposal {
  /** What it does, in one line: of what has happened, and of what would happen. */
  readonly title: { readonly done: string; readonly dry: string }
  readonly step: Step
  /** Other files to write. */
  readonly files: Files
  /** Security changes that come with it. */
  readonly security: readonly { readonly id: string; readonly title: string; readonly isSettled: boolean }[]
  /** What somebody must know or do, a paragraph each. */
  readonly notes: readonly string[]
}

/** @returns Whether somebody must look at the file. */
export function isOpen({ outcome }: Change): boolean {
  return outcome === 'conflict' || outcome === 'beside'
}
