// The planar four-bar of `supple bench --system four-bar` in Pinocchio: crank, coupler and rocker on hinges about y, the pin between
// coupler and rocker a 3D constraint (one of its three equations is redundant). Written for the harness that docs/speed.md names: prints
// lines `name,metric,value,unit`; `bench_util.hpp` is the harness's.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/proximal.hpp>
#include <pinocchio/multibody.hpp>

#include <cmath>

#include "bench_util.hpp"

namespace pin = pinocchio;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

static pin::JointIndex add(pin::Model& m, pin::JointIndex parent, const char* name, Vector3d at, double mass, Vector3d centre, Vector3d own) {
  const auto id = m.addJoint(parent, pin::JointModelRY(), pin::SE3(Eigen::Matrix3d::Identity(), at), name);
  m.appendBodyToJoint(id, pin::Inertia(mass, centre, own.asDiagonal()), pin::SE3::Identity());
  return id;
}

// x and z of (x, z) turned about y.
static Vector2d turned(double angle, double x, double z) {
  return {x * std::cos(angle) + z * std::sin(angle), -x * std::sin(angle) + z * std::cos(angle)};
}
static Vector2d gap(const VectorXd& q) {
  const Vector2d coupler = turned(q[0], 0, 0.2) + turned(q[0] + q[1], 0.5, 0.2);
  const Vector2d rocker = Vector2d(0.6, 0) + turned(q[2], -0.1, 0.4);
  return coupler - rocker;
}
// Columns of d gap / d (coupler, rocker) and d gap / d crank, by the rule d turned(a, x, z) = turned(a + pi/2, x, z) da.
static Eigen::Matrix<double, 2, 3> slope(const VectorXd& q) {
  const double r = std::acos(-1.0) / 2;
  Eigen::Matrix<double, 2, 3> j;
  j.col(0) = turned(q[0] + r, 0, 0.2) + turned(q[0] + q[1] + r, 0.5, 0.2);
  j.col(1) = turned(q[0] + q[1] + r, 0.5, 0.2);
  j.col(2) = -turned(q[2] + r, -0.1, 0.4);
  return j;
}
// Coupler and rocker for a given crank; in small steps of the crank, so that the branch of zero coordinates is kept.
static VectorXd closed(double crank) {
  VectorXd q = VectorXd::Zero(3);
  for (int k = 1; k <= 20; ++k) {
    q[0] = crank * k / 20;
    for (int i = 0; i < 20; ++i) q.tail<2>() -= slope(q).rightCols<2>().inverse() * gap(q);
  }
  return q;
}
static VectorXd closing(const VectorXd& q, double rate) {
  VectorXd v(3);
  v[0] = rate;
  v.tail<2>() = -slope(q).rightCols<2>().inverse() * slope(q).col(0) * rate;
  return v;
}

int main() {
  pin::Model m;
  const auto crank = add(m, 0, "crank", {0, 0, 0}, 0.2, {0, 0, 0.1}, {1e-3, 1e-3, 1e-4});
  const auto coupler = add(m, crank, "coupler", {0, 0, 0.2}, 0.5, {0.25, 0, 0.1}, {1e-4, 1e-2, 1e-2});
  const auto rocker = add(m, 0, "rocker", {0.6, 0, 0}, 0.4, {-0.05, 0, 0.2}, {5e-3, 5e-3, 1e-4});
  const auto I = Eigen::Matrix3d::Identity();
  std::vector<pin::RigidConstraintModel> pins;
  pins.emplace_back(pin::CONTACT_3D, m, coupler, pin::SE3(I, Vector3d(0.5, 0, 0.2)), rocker, pin::SE3(I, Vector3d(-0.1, 0, 0.4)), pin::LOCAL);
  std::vector<pin::RigidConstraintData> datas(pins.begin(), pins.end());
  pin::Data d(m);
  pin::initConstraintDynamics(m, d, pins, datas);

  const int K = 256;  // closed states, visited in turn
  std::vector<VectorXd> q, v, tau;
  std::srand(7);
  for (int k = 0; k < K; ++k) {
    const Eigen::VectorXd r = Eigen::VectorXd::Random(5);
    q.push_back(closed(0.8 * r[0]));
    v.push_back(closing(q.back(), r[1]));
    tau.push_back(r.tail<3>());
  }
  const std::string name = "pinocchio/four-bar";
  const VectorXd q0 = closed(0.3), v0 = closing(q0, 1.0);
  pin::ProximalSettings precise(1e-12, 1e-12, 10), once(1e-12, 1e-12, 1);
  const VectorXd a0 = pin::constraintDynamics(m, d, q0, v0, VectorXd::Zero(3), pins, datas, precise);
  bench::emit(name, "check_gap", gap(q0).norm(), "m");
  for (int k = 0; k < 3; ++k) bench::emit(name, "check_acceleration" + std::to_string(k), a0[k], "rad/s2");
  double worst = 0;
  for (int k = 0; k < K; ++k) {
    // A vanishing second difference of the gap along q + v t + a t^2/2 says that the accelerations close the loop.
    const VectorXd a = pin::constraintDynamics(m, d, q[k], v[k], tau[k], pins, datas, precise);
    const double t = 1e-3;
    const auto at = [&](double s) { return gap(q[k] + s * v[k] + 0.5 * s * s * a); };
    worst = std::max(worst, (at(t) - 2 * at(0) + at(-t)).norm() / (t * t * std::max(1.0, a.norm())));
  }
  bench::emit(name, "check_closing_acceleration", worst, "rel");
  bench::run(name, "aba", [&](std::size_t i) { pin::aba(m, d, q[i % K], v[i % K], tau[i % K], pin::Convention::LOCAL); });
  bench::run(name, "constraintDynamics_converged", [&](std::size_t i) {
    pin::constraintDynamics(m, d, q[i % K], v[i % K], tau[i % K], pins, datas, precise);
  });
  bench::emit(name, "iterations", precise.iter, "1");
  bench::run(name, "constraintDynamics_once", [&](std::size_t i) {
    pin::constraintDynamics(m, d, q[i % K], v[i % K], tau[i % K], pins, datas, once);
  });
}
