import { arktypeKind } from './arktype-issue.ts'
import { type IssueFields, type IssueKind, scalarsOf, UNKNOWN } from './issue-kind.ts'
import { valibotKind } from './valibot-issue.ts'
import { zodKind } from './zod-issue.ts'

const FOREIGN_PART = '*'
const CODE = /^[\w.:-]{1,64}$/

interface Library {
  /** What an issue is about; undefined when it is not one of the library. */
  readonly kind: (issue: IssueFields) => IssueKind | undefined
  /** Whether the message of an issue is one that the library writes itself, in English. */
  readonly writes: (message: string, issue: IssueFields) => boolean
}

// How messages of zod begin, version 3 and 4.
const ZOD =
  /^(?:Too (?:small|big): expected |Invalid [a-z ]+(?:: |[.,] ?[Ee]xpected )|Invalid (?:key|value) in |Unrecognized key|Expected |(?:Array|String) must contain |(?:BigInt|Date|Number|Set) must )/
// What it calls a format after `Invalid`. Anything else, such as `Invalid postcode`, is the application's.
const ZOD_FORMATS: ReadonlySet<string> = new Set(
  `input,email,email address,url,URL,date,time,datetime,duration,ISO date,ISO time,ISO datetime,ISO duration,uuid,UUID,UUIDv4,
  UUIDv6,guid,GUID,emoji,nanoid,cuid,cuid2,ulid,ULID,xid,XID,ksuid,KSUID,ip,IPv4 address,IPv6 address,mac,MAC address,cidr,
  IPv4 range,IPv6 range,base64,base64url,base64-encoded string,base64url-encoded string,JSON string,E.164 number`.split(
    /,\s*/,
  ),
)

const VALIBOT = /^Invalid [\w ]+: (?:Expected|Received) /

const LIBRARIES: Readonly<Record<string, Library>> = {
  arktype: { kind: arktypeKind, writes: isOfArktype },
  valibot: { kind: valibotKind, writes: (message) => VALIBOT.test(message) },
  zod: { kind: zodKind, writes: isOfZod },
}

/** An issue of a schema, checked. Its message may quote what was submitted. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly PropertyKey[]
  readonly kind: IssueKind
  /** Whether the library is known, and so what its issues are about. */
  readonly isKnown: boolean
  /** Whether the message looks like one that the library writes, and not the application. */
  readonly isLibraryMessage: boolean
}

/**
 * @param issue An issue of any shape.
 * @param vendor Name of the library that made it.
 * @returns The issue.
 */
export function readIssue(issue: unknown, vendor: string): SchemaIssue {
  const fields = Object(issue) as IssueFields
  const { message, path } = fields
  const library = Object.hasOwn(LIBRARIES, vendor) ? LIBRARIES[vendor] : undefined
  const known = library?.kind(fields)
  const text = isString(message) ? message : ''
  return {
    message: text,
    path: Array.isArray(path) ? Array.from(path, readName) : [],
    kind: known ?? otherKind(fields),
    isKnown: known !== undefined,
    isLibraryMessage: library?.writes(text, fields) === true,
  }
}

function isOfZod(message: string): boolean {
  if (message === 'Required' || message === 'Invalid' || ZOD.test(message)) return true
  return message.startsWith('Invalid ') && ZOD_FORMATS.has(message.slice('Invalid '.length))
}

// `name must be a string (was 7)`, and without `(was …)` where nothing was.
function isOfArktype(message: string, { problem, expected }: IssueFields): boolean {
  if (!isString(problem) || !message.endsWith(problem)) return false
  return problem.includes(' (was ') || problem === `must be ${String(expected)}`
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
