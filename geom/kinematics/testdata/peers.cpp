// What other programs take for the kinematics of a KR16-2, measured in short bursts. A line of the input names a task and how
// often to do it; the answer is the mean time in ns. "formulas" is plain C++ for an arm with a spherical wrist: the closed form
// of M. Brandstötter, A. Angerer and M. Hofbaur, "An Analytical Solution of the Inverse Kinematics Problem of Industrial Serial
// Manipulators with an Ortho-parallel Basis and a Spherical Wrist", 2014, with the functions of the C library.
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>
#ifdef KDL_FOUND
#include <kdl/chainfksolverpos_recursive.hpp>
#endif

namespace {

constexpr double ahead = 0.260, back = -0.035, base = 0.675, upper = 0.680, lower = 0.670, hand = 0.158;
constexpr double pi = M_PI, turn = 2 * M_PI;
constexpr int poses = 4096;

struct pose { double r[3][3], at[3]; };

pose forward(const double *q) {
  double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s2 = std::sin(q[1]), c2 = std::cos(q[1]);
  double elbow = q[1] + q[2] - pi / 2;
  double s23 = std::sin(elbow), c23 = std::cos(elbow);
  double s4 = std::sin(q[3]), c4 = std::cos(q[3]), s5 = std::sin(q[4]), c5 = std::cos(q[4]), s6 = std::sin(q[5]), c6 = std::cos(q[5]);
  double arm[3][3] = {{c1 * c23, -s1, c1 * s23}, {s1 * c23, c1, s1 * s23}, {-s23, 0, c23}};
  double wrist[3][3] = {{c4 * c5 * c6 - s4 * s6, -c4 * c5 * s6 - s4 * c6, c4 * s5},
                        {s4 * c5 * c6 + c4 * s6, -s4 * c5 * s6 + c4 * c6, s4 * s5},
                        {-s5 * c6, s5 * s6, c5}};
  double x = upper * s2 + lower * s23 + back * c23 + ahead;
  double centre[3] = {x * c1, x * s1, base + upper * c2 + lower * c23 - back * s23};
  pose p;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      p.r[i][k] = arm[i][0] * wrist[0][k] + arm[i][1] * wrist[1][k] + arm[i][2] * wrist[2][k];
    p.at[i] = centre[i] + hand * p.r[i][2];
  }
  return p;
}

// inverse writes all eight branches, without limits and not unwound.
void inverse(const pose &p, double (*all)[6]) {
  const auto &r = p.r;
  double x = p.at[0] - hand * r[0][2], y = p.at[1] - hand * r[1][2], z = p.at[2] - hand * r[2][2] - base;
  double heading = std::atan2(y, x), away = std::sqrt(x * x + y * y);
  double fore2 = back * back + lower * lower, bent = std::atan2(back, lower);
  for (int side = 0; side < 2; side++) {
    double first = side == 0 ? heading : heading - pi;
    double along = (side == 0 ? away : -away) - ahead, d2 = along * along + z * z;
    double shoulder = std::acos((d2 + upper * upper - fore2) / (2 * std::sqrt(d2) * upper)), line = std::atan2(along, z);
    double elbow = std::acos((d2 - upper * upper - fore2) / (2 * upper * std::sqrt(fore2)));
    double s1 = std::sin(first), c1 = std::cos(first);
    for (int down = 0; down < 2; down++) {
      double second = down == 0 ? line - shoulder : line + shoulder;
      double third = (down == 0 ? elbow : -elbow) - bent;
      double s = std::sin(second + third), c = std::cos(second + third);
      double cos5 = r[0][2] * s * c1 + r[1][2] * s * s1 + r[2][2] * c;
      double fifth = std::atan2(std::sqrt(1 - cos5 * cos5), cos5);
      double fourth = std::atan2(r[1][2] * c1 - r[0][2] * s1, r[0][2] * c * c1 + r[1][2] * c * s1 - r[2][2] * s);
      double sixth = std::atan2(r[0][1] * s * c1 + r[1][1] * s * s1 + r[2][1] * c, -r[0][0] * s * c1 - r[1][0] * s * s1 - r[2][0] * c);
      for (int flip = 0; flip < 2; flip++) {
        double *q = all[4 * side + 2 * down + flip];
        q[0] = first, q[1] = second, q[2] = third + pi / 2;
        q[3] = fourth + flip * pi, q[4] = flip ? -fifth : fifth, q[5] = sixth - flip * pi;
      }
    }
  }
}

constexpr double least[6] = {-3.23, -2.71, -2.27, -6.11, -2.27, -6.11}, most[6] = {3.23, 2.71, 2.69, 6.11, 2.27, 6.11};

// unwind brings joints near a hint and within the limits, and returns how many branches are.
int unwind(double (*all)[6], const double *hint) {
  int good = 0;
  for (int b = 0; b < 8; b++) {
    bool within = true;
    for (int i = 0; i < 6; i++) {
      double near = all[b][i] + turn * std::nearbyint((hint[i] - all[b][i]) * (1 / turn));
      if (near > most[i] && near - turn >= least[i]) near -= turn;
      if (near < least[i] && near + turn <= most[i]) near += turn;
      within = within && near >= least[i] && near <= most[i];
      all[b][i] = near;
    }
    good += within;
  }
  return good;
}

double worst(const pose &a, const pose &b) {
  double off = 0;
  for (int i = 0; i < 3; i++) {
    off = std::max(off, std::fabs(a.at[i] - b.at[i]));
    for (int k = 0; k < 3; k++) off = std::max(off, std::fabs(a.r[i][k] - b.r[i][k]));
  }
  return off;
}

}  // namespace

int main() {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> joints(poses, std::vector<double>(6));
  std::vector<pose> goals(poses);
  for (int i = 0; i < poses; i++) {
    for (int k = 0; k < 6; k++) joints[i][k] = std::uniform_real_distribution<double>(least[k], most[k])(random);
    goals[i] = forward(joints[i].data());
  }
  volatile double sink;
  double all[8][6];
  inverse(goals[0], all);
  for (auto &q : all)
    if (!(worst(forward(q), goals[0]) < 1e-9)) return 1;
#ifdef KDL_FOUND
  using namespace KDL;
  Chain chain;
  const double rows[6][4] = {{ahead, -pi / 2, base, 0}, {upper, 0, 0, 0}, {-back, pi / 2, 0, pi / 2}, {0, -pi / 2, lower, 0}, {0, pi / 2, 0, 0}, {0, 0, hand, 0}};
  for (auto &row : rows) chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(row[0], row[1], row[2], row[3])));
  ChainFkSolverPos_recursive solver(chain);
  std::vector<JntArray> arrays(poses, JntArray(6));
  for (int i = 0; i < poses; i++)
    for (int k = 0; k < 6; k++) arrays[i](k) = joints[i][k];
#endif
  std::string task;
  for (int n, i = 0; std::cin >> task >> n;) {
    auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < n; k++, i = (i + 1) % poses) {
      if (task == "forward") {
        sink = forward(joints[i].data()).at[0];
      } else if (task == "inverse") {
        inverse(goals[i], all), sink = all[7][5];
      } else if (task == "unwound") {
        inverse(goals[i], all), sink = unwind(all, joints[i].data());
#ifdef KDL_FOUND
      } else if (task == "KDL") {
        Frame f;
        solver.JntToCart(arrays[i], f), sink = f.p.x();
#endif
      } else {
        return 1;
      }
    }
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::cout << took.count() / n << std::endl;
  }
  (void)sink;
}
