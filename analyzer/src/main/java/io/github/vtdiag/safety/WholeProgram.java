package io.github.vtdiag.safety;

import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UnreadClass;
import io.github.vtdiag.program.UseIndex;
import java.util.List;

/** The facts about a whole program that the rules use. */
record WholeProgram(
    TypeHierarchy hierarchy,
    UseIndex calls,
    List<UnreadClass> unread,
    Bodies bodies,
    Confinement confinement,
    MonitorUses uses,
    MethodReferences references,
    WithoutConstructor unconstructed,
    ReflectedFields reflected,
    Aliasing aliasing,
    EscapeOfThis escapes,
    FollowedCode code,
    Recursion recursion,
    Assumptions assumptions) {

  static WholeProgram of(Program program, Assumptions assumptions) {
    Bodies bodies = new Bodies(program);
    PointsTo pointsTo = new PointsTo(program, bodies, assumptions);
    Confinement confinement = new Confinement(program, bodies, pointsTo);
    FollowedCode code = new FollowedCode(program.hierarchy(), program::classFile);
    return new WholeProgram(
        program.hierarchy(),
        program.uses(),
        program.unread(),
        bodies,
        confinement,
        new MonitorUses(program, bodies, pointsTo, confinement),
        new MethodReferences(program.uses(), bodies, pointsTo),
        new WithoutConstructor(program.uses(), bodies, pointsTo),
        new ReflectedFields(program.hierarchy(), program.uses(), bodies, pointsTo),
        new Aliasing(program.hierarchy()),
        new EscapeOfThis(
            program.hierarchy(),
            code,
            type ->
                assumptions.clients() == Assumptions.Clients.NONE
                    && program.hierarchy().type(type).isPresent()
                    && !program.uses().mayBeLambda(type)),
        code,
        new Recursion(program, bodies),
        assumptions);
  }
}
