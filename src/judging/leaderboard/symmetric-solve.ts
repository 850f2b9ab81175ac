/** The lower triangle L of a symmetric positive definite matrix A = L Lᵀ, by rows; undefined if it is not positive definite. */
export function choleskyFactor(matrix: Float64Array, n: number): Float64Array | undefined {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      if (i === j) {
        if (!(sum > 0)) return undefined;
        factor[i * n + i] = Math.sqrt(sum);
      } else factor[i * n + j] = sum / factor[j * n + j];
    }
  }
  return factor;
}

/** Solves A x = b for A = L Lᵀ. */
export function solveCholesky(factor: Float64Array, n: number, right: ArrayLike<number>): Float64Array {
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = right[i];
    for (let k = 0; k < i; k++) sum -= factor[i * n + k] * x[k];
    x[i] = sum / factor[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i] * x[k];
    x[i] = sum / factor[i * n + i];
  }
  return x;
}

/** The inverse of A = L Lᵀ. */
export function inverseCholesky(factor: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  const unit = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    unit.fill(0);
    unit[j] = 1;
    const column = solveCholesky(factor, n, unit);
    for (let i = 0; i < n; i++) inverse[i * n + j] = column[i];
  }
  return inverse;
}

/** The lower triangle L of a symmetric matrix A = L Lᵀ that may have directions without any spread, such as two systems that never differ:
 *  a remainder of rounding counts as 0. */
export function semidefiniteFactor(matrix: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    let rest = matrix[j * n + j];
    for (let k = 0; k < j; k++) rest -= factor[j * n + k] ** 2;
    if (rest <= 1e-12 * matrix[j * n + j]) continue;
    const pivot = Math.sqrt(rest);
    factor[j * n + j] = pivot;
    for (let i = j + 1; i < n; i++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = sum / pivot;
    }
  }
  return factor;
}
