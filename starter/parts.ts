import type { Part } from './core/part.ts'
import { addressChange } from './parts/address-change/part.ts'
import { trustedBrowsers } from './parts/trusted-browsers/part.ts'

/** The parts of this application: the only file that names them. A part is removed by deleting its folder and its line. */
export const PARTS: readonly Part[] = [addressChange, trustedBrowsers]
