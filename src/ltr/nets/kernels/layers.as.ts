// Products of matrices for nets, and Adam's step; `layer-kernel.ts` says the same in TypeScript, bit for bit, and is what this must equal.
// All addresses are given by `layer-kernel-wasm.ts`. Documents stand side by side in rows of `stride` bytes, a multiple of 32, so that
// vectors hold documents and every sum runs over inputs or units in their order.

/** out[a][r] = start[a] + m[a][0] x[0][r] + m[a][1] x[1][r] + …; m[a][b] is at m + a·strideA + b·strideB, and start may be 0 for none. */
export function multiply(
  m: usize,
  strideA: usize,
  strideB: usize,
  start: usize,
  x: usize,
  out: usize,
  numA: i32,
  numB: i32,
  stride: usize,
): void {
  const whole = numA & ~3;
  for (let a = 0; a < whole; a += 4) {
    const m0 = m + <usize>a * strideA;
    const outA = out + <usize>a * stride;
    let from0 = f64x2.splat(0);
    let from1 = from0;
    let from2 = from0;
    let from3 = from0;
    if (start != 0) {
      from0 = v128.load_splat<f64>(start + (<usize>a << 3));
      from1 = v128.load_splat<f64>(start + (<usize>a << 3), 8);
      from2 = v128.load_splat<f64>(start + (<usize>a << 3), 16);
      from3 = v128.load_splat<f64>(start + (<usize>a << 3), 24);
    }
    for (let r: usize = 0; r < stride; r += 32) {
      let s00 = from0;
      let s01 = from0;
      let s10 = from1;
      let s11 = from1;
      let s20 = from2;
      let s21 = from2;
      let s30 = from3;
      let s31 = from3;
      let at = x + r;
      let w = m0;
      for (let b = 0; b < numB; b++) {
        const x0 = v128.load(at);
        const x1 = v128.load(at, 16);
        const w0 = v128.load_splat<f64>(w);
        const w1 = v128.load_splat<f64>(w + strideA);
        const w2 = v128.load_splat<f64>(w + 2 * strideA);
        const w3 = v128.load_splat<f64>(w + 3 * strideA);
        s00 = f64x2.add(s00, f64x2.mul(w0, x0));
        s01 = f64x2.add(s01, f64x2.mul(w0, x1));
        s10 = f64x2.add(s10, f64x2.mul(w1, x0));
        s11 = f64x2.add(s11, f64x2.mul(w1, x1));
        s20 = f64x2.add(s20, f64x2.mul(w2, x0));
        s21 = f64x2.add(s21, f64x2.mul(w2, x1));
        s30 = f64x2.add(s30, f64x2.mul(w3, x0));
        s31 = f64x2.add(s31, f64x2.mul(w3, x1));
        at += stride;
        w += strideB;
      }
      const o0 = outA + r;
      const o1 = o0 + stride;
      const o2 = o1 + stride;
      const o3 = o2 + stride;
      v128.store(o0, s00);
      v128.store(o0, s01, 16);
      v128.store(o1, s10);
      v128.store(o1, s11, 16);
      v128.store(o2, s20);
      v128.store(o2, s21, 16);
      v128.store(o3, s30);
      v128.store(o3, s31, 16);
    }
  }
  for (let a = whole; a < numA; a++) {
    const m0 = m + <usize>a * strideA;
    const from = start == 0 ? f64x2.splat(0) : v128.load_splat<f64>(start + (<usize>a << 3));
    for (let r: usize = 0; r < stride; r += 32) {
      let s0 = from;
      let s1 = from;
      let at = x + r;
      let w = m0;
      for (let b = 0; b < numB; b++) {
        const w0 = v128.load_splat<f64>(w);
        s0 = f64x2.add(s0, f64x2.mul(w0, v128.load(at)));
        s1 = f64x2.add(s1, f64x2.mul(w0, v128.load(at, 16)));
        at += stride;
        w += strideB;
      }
      const o = out + <usize>a * stride + r;
      v128.store(o, s0);
      v128.store(o, s1, 16);
    }
  }
}

// @ts-ignore: decorator
@inline
function addLanes(at: usize, sums: v128): void {
  store<f64>(at, load<f64>(at) + (f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)));
}

/** gradient[u][i] += Σ over documents of deltas[u] · inputs[i], those in even places and those in odd places summed apart; and the same of
 *  deltas[u] alone for the biases. */
export function addGradient(
  deltas: usize,
  inputs: usize,
  gradient: usize,
  biasGradient: usize,
  numUnits: i32,
  numInputs: i32,
  stride: usize,
): void {
  const wholeUnits = numUnits & ~3;
  const wholeInputs = numInputs & ~1;
  const width: usize = <usize>numInputs << 3;
  for (let u = 0; u < wholeUnits; u += 4) {
    const d0 = deltas + <usize>u * stride;
    const d1 = d0 + stride;
    const d2 = d1 + stride;
    const d3 = d2 + stride;
    const g0 = gradient + <usize>u * width;
    for (let i = 0; i < wholeInputs; i += 2) {
      const x0 = inputs + <usize>i * stride;
      const x1 = x0 + stride;
      let s00 = f64x2.splat(0);
      let s01 = s00;
      let s10 = s00;
      let s11 = s00;
      let s20 = s00;
      let s21 = s00;
      let s30 = s00;
      let s31 = s00;
      for (let r: usize = 0; r < stride; r += 16) {
        const y0 = v128.load(x0 + r);
        const y1 = v128.load(x1 + r);
        const e0 = v128.load(d0 + r);
        const e1 = v128.load(d1 + r);
        const e2 = v128.load(d2 + r);
        const e3 = v128.load(d3 + r);
        s00 = f64x2.add(s00, f64x2.mul(e0, y0));
        s01 = f64x2.add(s01, f64x2.mul(e0, y1));
        s10 = f64x2.add(s10, f64x2.mul(e1, y0));
        s11 = f64x2.add(s11, f64x2.mul(e1, y1));
        s20 = f64x2.add(s20, f64x2.mul(e2, y0));
        s21 = f64x2.add(s21, f64x2.mul(e2, y1));
        s30 = f64x2.add(s30, f64x2.mul(e3, y0));
        s31 = f64x2.add(s31, f64x2.mul(e3, y1));
      }
      const g = g0 + (<usize>i << 3);
      addLanes(g, s00);
      addLanes(g + 8, s01);
      addLanes(g + width, s10);
      addLanes(g + width + 8, s11);
      addLanes(g + 2 * width, s20);
      addLanes(g + 2 * width + 8, s21);
      addLanes(g + 3 * width, s30);
      addLanes(g + 3 * width + 8, s31);
    }
  }
  // what does not fill a block: the last units, and the last input of the others
  for (let u = 0; u < numUnits; u++) {
    const d = deltas + <usize>u * stride;
    for (let i = u < wholeUnits ? wholeInputs : 0; i < numInputs; i++) {
      const x = inputs + <usize>i * stride;
      let sums = f64x2.splat(0);
      for (let r: usize = 0; r < stride; r += 16) sums = f64x2.add(sums, f64x2.mul(v128.load(d + r), v128.load(x + r)));
      addLanes(gradient + <usize>u * width + (<usize>i << 3), sums);
    }
    let sums = f64x2.splat(0);
    for (let r: usize = 0; r < stride; r += 16) sums = f64x2.add(sums, v128.load(d + r));
    addLanes(biasGradient + (<usize>u << 3), sums);
  }
}

/** One step of Adam over `count` parameters, an even number. */
export function adamStep(
  parameters: usize,
  gradient: usize,
  mean: usize,
  meanSquare: usize,
  count: i32,
  keep1: f64,
  keep2: f64,
  stepSize: f64,
  small: f64,
): void {
  const one = f64x2.splat(keep1);
  const two = f64x2.splat(keep2);
  const step = f64x2.splat(stepSize);
  const least = f64x2.splat(small);
  const end: usize = <usize>count << 3;
  for (let at: usize = 0; at < end; at += 16) {
    const g = v128.load(gradient + at);
    let m = v128.load(mean + at);
    let s = v128.load(meanSquare + at);
    m = f64x2.add(m, f64x2.mul(one, f64x2.sub(g, m)));
    s = f64x2.add(s, f64x2.mul(two, f64x2.sub(f64x2.mul(g, g), s)));
    v128.store(mean + at, m);
    v128.store(meanSquare + at, s);
    const change = f64x2.div(f64x2.mul(step, m), f64x2.add(f64x2.sqrt(s), least));
    v128.store(parameters + at, f64x2.sub(v128.load(parameters + at), change));
  }
}
