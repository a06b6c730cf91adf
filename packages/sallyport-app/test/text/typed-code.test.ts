import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { typedCode } from 'sallyport-app/text'

/** Every character of the categories, from the tables of Unicode that Node has. */
function charactersOf(pattern: RegExp): readonly string[] {
  const found: string[] = []
  for (let point = 0; point <= 0x10ffff; point += 1)
    if (point < 0xd800 || point > 0xdfff) found.push(String.fromCodePoint(point))
  return found.filter((character) => pattern.test(character))
}

describe('typedCode()', () => {
  it('reads every decimal digit of every script as its value [MEND-13]', () => {
    const digits = charactersOf(/^\p{Nd}$/u)
    assert.ok(digits.length > 500)

    const read = digits.map(typedCode)

    // Unicode gives the digits of a script ten places in a row, from zero to nine.
    assert.deepEqual(
      read,
      digits.map((_, index) => String(index % 10)),
    )
    assert.equal(typedCode('٠١٢٣٤٥٦٧٨٩'), '0123456789')
    assert.equal(typedCode('۰۱۲۳۴۵۶۷۸۹'), '0123456789')
    assert.equal(typedCode('०१२३४५६७८९'), '0123456789')
  })

  it('removes every character that shows nothing, and every separator [MEND-13 RA-2806]', () => {
    const invisible = charactersOf(/^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Z}]$/u)
    const separators = charactersOf(/^[\u20e3\p{Pd}\u2212\u00b7._/,\u2800\ufffc]$/u)
    for (const character of [...invisible, ...separators])
      assert.equal(
        typedCode(`${character}12${character}34${character}`),
        '1234',
        `U+${character.codePointAt(0)?.toString(16)}`,
      )
  })

  it('keeps what is seen and is no digit', () => {
    for (const code of ['-1+2', '12a', '12%', '12:34', 'ABCD'])
      assert.equal(typedCode(code), code.replace('-', ''))
  })
})
