import { arktypeKind } from './arktype-issue.ts'
import { type IssueFields, type IssueKind, scalarsOf, UNKNOWN } from './issue-kind.ts'
import { valibotKind } from './valibot-issue.ts'
import { zodKind } from './zod-issue.ts'

const FOREIGN_PART = '*'
const CODE = /^[\w.:-]{1,64}$/

interface Library {
  /** What an issue is about; undefined when it is not one of the library. */
  readonly kind: (issue: IssueFields) => IssueKind | undefined
  /** The messages that it writes itself, in English. */
  readonly message: RegExp
}

// Their schemas expose each declared name, so any other name came from the client.
const LIBRARIES: Readonly<Record<string, Library>> = {
  arktype: { kind: arktypeKind, message: /\bmust be\b/ },
  valibot: { kind: valibotKind, message: /^Invalid [\w ]+: (?:Expected|Received) / },
  zod: {
    kind: zodKind,
    message:
      /^(?:Too (?:small|big): |Invalid |Unrecognized keys?: |Required$|Expected |(?:Array|BigInt|Date|Number|Set|String) must )/,
  },
}

/** An issue of a schema, checked. Nothing of it is known to be free of submitted values. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly PropertyKey[]
  /** The received value as the library describes it; valibot and arktype do. */
  readonly received: string
  readonly kind: IssueKind
  /** Whether the library is known, and so what its issues are about. */
  readonly isKnown: boolean
  /** Whether the message looks like one that the library writes, and not the application. */
  readonly isLibraryMessage: boolean
}

/**
 * @param vendor Name of a library.
 * @returns Whether its schemas expose each name that they declare.
 */
export function isOpenVendor(vendor: string): boolean {
  return Object.hasOwn(LIBRARIES, vendor)
}

/**
 * @param issue An issue of any shape.
 * @param vendor Name of the library that made it.
 * @returns The issue.
 */
export function readIssue(issue: unknown, vendor: string): SchemaIssue {
  const fields = Object(issue) as IssueFields
  const { message, path, received, actual } = fields
  const library = Object.hasOwn(LIBRARIES, vendor) ? LIBRARIES[vendor] : undefined
  const known = library?.kind(fields)
  const text = isString(message) ? message : ''
  return {
    message: text,
    path: Array.isArray(path) ? Array.from(path, readName) : [],
    received: [received, actual].find(isString) ?? '',
    kind: known ?? otherKind(fields),
    isKnown: known !== undefined,
    isLibraryMessage: library?.message.test(text) === true,
  }
}

// Another library, or an issue that the application has made.
function otherKind({ code, type, minimum, maximum, format }: IssueFields): IssueKind {
  const own = [code, type].find((name) => isString(name) && CODE.test(name))
  const id = isString(own) ? own : UNKNOWN
  return { code: id, id, parameters: scalarsOf({ minimum, maximum, format }) }
}

function readName(part: unknown): PropertyKey {
  const name: unknown = typeof part === 'object' && part !== null && 'key' in part ? part.key : part
  return isString(name) || typeof name === 'number' || typeof name === 'symbol' ? name : FOREIGN_PART
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
