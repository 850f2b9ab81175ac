"""Doubles worth printing, as bits, and what Python and mpmath say of them. See numbers.sh."""
import random
import struct
import sys


def bits(x):
    return struct.pack(">d", x).hex()


def value(text):
    return struct.unpack(">d", bytes.fromhex(text))[0]


SPECIAL = [0.0, -0.0, float("inf"), float("-inf"), 5e-324, 1e-323, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308,
           1.7976931348623157e308, -1.7976931348623157e308, 1e21, 1e22, 1e23, 9007199254740993.0, 2.0**53, 2.0**52 + 0.5, 2.0**52 - 0.5,
           0.1, 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1.5, 2.5, 1.0, 10.0, 100.0, 1e7, 9999999.999999998, 1e-3, 0.0009999999999999998, 1e-4, 1e-5,
           0.99999, 0.999949999, 0.99995, 9.99995, 99999.5, 999999999999999.0, 1e15, 1e16, 123456789012345680.0, 2e23, 8.41e21, 2.0**-44]


def random_bits(rng):
    while True:
        x = value("%016x" % rng.getrandbits(64))
        if x == x:
            return x


def fixed(rng):
    """value, width, decimals"""
    for x in SPECIAL:
        for decimals in (0, 1, 4, 17):
            yield x, 0, decimals
    # exact ties: odd multiples of 1/2, 1/32, 1/128 … have one decimal more than is printed
    for decimals in range(0, 12):
        for _ in range(60):
            yield (2 * rng.randrange(0, 10 ** rng.randrange(1, 7)) + 1) / 2 ** (decimals + 1) * rng.choice((1, -1)), 6, decimals
    for i in range(0, 64):
        yield i / 32, 6, 4
    # the neighbours of ties and of decimal halves
    for _ in range(500):
        decimals = rng.randrange(0, 8)
        x = (rng.randrange(0, 10 ** rng.randrange(1, 8)) + 0.5) / 10**decimals
        near = value("%016x" % (int(bits(x), 16) + rng.randrange(-2, 3)))
        yield near, rng.choice((0, 6, 12)), decimals
    # ordinary values, as measures have them
    for _ in range(800):
        yield rng.random(), rng.choice((0, 6, 10)), rng.choice((1, 2, 3, 4, 5, 6, 10, 15, 20))
    for _ in range(400):
        yield rng.choice((1, -1)) * rng.random() * 10 ** rng.randrange(0, 22), rng.choice((0, 8)), rng.randrange(0, 10)
    for _ in range(200):
        yield rng.randrange(1, 1000) / rng.randrange(1, 1000), 6, 4
    for _ in range(200):
        yield random_bits(rng), 0, rng.randrange(0, 25)


def general(rng):
    """value, 0, significant digits"""
    for x in SPECIAL:
        for digits in (1, 6, 15, 17):
            yield x, 0, digits
    # exact ties at so many digits
    for _ in range(600):
        digits = rng.randrange(1, 16)
        x = (rng.randrange(10 ** (digits - 1), 10**digits) * 10 + 5) * 10 ** rng.randrange(0, 3)
        yield float(x) / rng.choice((1, 2, 4, 8, 1024)), 0, digits
    for _ in range(300):
        yield rng.randrange(0, 2**20) / 2 ** rng.randrange(0, 25), 0, rng.randrange(1, 16)
    for _ in range(1000):
        yield rng.random() * 10 ** rng.randrange(-8, 20), 0, 15
    for _ in range(400):
        yield random_bits(rng), 0, rng.randrange(1, 25)
    for _ in range(200):
        yield rng.randrange(1, 1000) / rng.randrange(1, 1000), 0, 15


def plain(rng):
    yield from SPECIAL
    for k in range(-1074, 1024, 7):
        yield 2.0**k
    for k in range(1, 60):
        yield value("%016x" % k)
    for k in range(-30, 30):
        yield float("1e%d" % k)
        yield float("9.999999999999999e%d" % k)
    for _ in range(1200):
        yield random_bits(rng)
    for _ in range(1200):
        yield rng.random() * 10 ** rng.randrange(-6, 9)
    for _ in range(400):
        yield float(rng.randrange(0, 10 ** rng.randrange(1, 19)))
    for _ in range(400):
        yield rng.randrange(1, 1000) / rng.randrange(1, 1000)


def logarithms(rng):
    """k, ln k, log2 k correctly rounded, as bits: small ones, those that glibc 2.36 or V8 get wrong, and large ones."""
    import mpmath

    mpmath.mp.prec = 200
    ln2 = mpmath.log(2)
    sample = list(range(1, 2049)) + [9170]
    sample += [rng.randrange(2, 2**31) for _ in range(1500)] + [rng.randrange(2**31, 2**53) for _ in range(500)]
    sample += [2**e + d for e in range(11, 53) for d in (-1, 0, 1)]
    for k in sample:
        ln = mpmath.log(k)
        print(k, bits(float(ln)), bits(float(ln / ln2)), sep="\t")
    # all of 1 … 20000 as one number each: the FNV-1a hash of the bits, little-endian
    hashes = []
    for divisor in (mpmath.mpf(1), ln2):
        h = 0x811C9DC5
        for k in range(1, 20001):
            for byte in struct.pack("<d", float(mpmath.log(k) / divisor)):
                h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
        hashes.append("%08x" % h)
    print("1-20000", *hashes, sep="\t")


def main():
    mode = sys.argv[1]
    rng = random.Random("numbers " + mode)
    if mode in ("fixed", "general"):
        for x, width, precision in (fixed if mode == "fixed" else general)(rng):
            print(bits(x), width, precision)
    elif mode == "plain":
        for x in plain(rng):
            print(bits(x))
    elif mode == "repr":
        for line in sys.stdin:
            print(line.strip(), repr(value(line.strip())), sep="\t")
    else:
        logarithms(rng)


main()
