import { type Catalogues, cataloguesOf } from '../core/messages/catalogue.ts'
import { PARTS } from '../parts.ts'

/** Every text of the application. */
export const catalogues: Catalogues = cataloguesOf(PARTS)
