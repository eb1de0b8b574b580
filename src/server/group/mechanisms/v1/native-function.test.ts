import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trimNativeFunction } from './native-function.ts'

describe('trimNativeFunction', () => {
  it('returns a result for every text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      ' ',
      '->',
      'operator',
      '::',
      'a',
      '&',
      '-',
      ' const',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const name = pieces.join('')
        expect(typeof trimNativeFunction(name)).toBe('string')
        expect(trimNativeFunction(name) === '').toBe(name.trim() === '')
      }),
    )
  })

  it.each([
    ['A::B::run(unsigned long,_GUID const &,HKL__ *)', 'A::B::run'],
    ['void std::vector<int, std::allocator<int> >::push_back(int const&)', 'std::vector::push_back'],
    ['Foo::get() const &', 'Foo::get'],
    ['decltype(auto) foo<int>()', 'foo'],
    ['std::ostream& operator<<(std::ostream&, Foo const&)', 'operator<<'],
    ['Foo::operator<(Foo const&) const', 'Foo::operator<'],
    ['std::function<void (int)>::operator()(int) const', 'std::function::operator()'],
    ['Foo::operator new[](unsigned long)', 'Foo::operatornew[]'],
    ['<lambda_5db80dab47756d3e72c2dcd38b80b1dd>::operator()', 'lambda::operator()'],
    ['main::$_0::operator()() const', 'main::lambda::operator()'],
    ["A::`anonymous namespace'::run", 'A::anonymous_namespace::run'],
    ['void (anonymous namespace)::run()', 'anonymous_namespace::run'],
    [
      '<alloc::boxed::Box<F,A> as core::ops::FnOnce<Args>>::call_once::h0123456789abcdef',
      'alloc::boxed::Box::call_once',
    ],
    ['app::main::{closure#0}', 'app::main::{closure}'],
    ['closure #1 () -> () in Foo.viewDidLoad() -> ()', 'Foo.viewDidLoad'],
    ['Foo.bar(_: Swift.Int) -> Swift.String', 'Foo.bar'],
    ['-[UIApplication _run]', '-[UIApplication _run]'],
    ['__32-[Foo bar:]_block_invoke_2', '-[Foo bar:]_block_invoke'],
    ['_foo@12', '_foo'],
    ['@foo@8', 'foo'],
    ['memcpy@@GLIBC_2.14', 'memcpy'],
    ['foo.isra.0.cold.1', 'foo'],
    ['main', 'main'],
  ])('%j → %j', (name, trimmed) => {
    expect(trimNativeFunction(name)).toBe(trimmed)
  })

  it.each(['0x7fff714c49b0', '00007fff714c49b0'])('finds no name in the address %s', (address) => {
    expect(trimNativeFunction(address)).toBe('')
  })
})
