import type { FormValue } from './form.ts'

const LIST = '[]'

/**
 * Converts the fields of a form or a query into an object. A field named `name[]` is a list called `name`, with any number
 * of values. An empty first value of it is left out: it is the hidden field by which a page says that nothing is ticked. A
 * plain name that occurs several times is a list too.
 *
 * @param entries Each name with its values.
 * @param omitted Names that are left out.
 * @returns An object without a prototype.
 */
export function fieldsOf(
  entries: Iterable<readonly [string, readonly FormValue[]]>,
  omitted: ReadonlySet<string>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = { __proto__: null }
  for (const [sent, values] of entries) {
    const name = fieldName(sent)
    if (omitted.has(name)) continue
    const given = name === sent ? single(values) : listed(values)
    fields[name] = name in fields ? [fields[name], given].flat() : given
  }
  return fields
}

/**
 * @param sent Name as it is sent: `likes[]`.
 * @returns Name of the field: `likes`.
 */
export function fieldName(sent: string): string {
  return sent.length > LIST.length && sent.endsWith(LIST) ? sent.slice(0, -LIST.length) : sent
}

function single(values: readonly FormValue[]): unknown {
  return values.length === 1 ? values[0] : [...values]
}

function listed(values: readonly FormValue[]): readonly FormValue[] {
  const [first] = values
  return first !== undefined && isEmpty(first) ? values.slice(1) : [...values]
}

// A file input without a file is sent as a file without a name and without content.
function isEmpty(value: FormValue): boolean {
  return typeof value === 'string' ? value === '' : value.name === '' && value.size === 0
}
